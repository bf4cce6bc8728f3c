// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/kernels.hpp>

#include <array>

#include "embedded_ptx.hpp"
#include "triton_ptx.hpp"

namespace cubind::testing {
namespace {

using Report = TritonFunction<void(int*, int)>;

class TritonFunctionTest : public EmbeddedCodeTest {
protected:
    std::string refusal_of(const TritonMetadata& metadata) {
        return message_of<std::invalid_argument>([&] { (void)Report(code, metadata, device); });
    }

    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, triton_ptx, {.name = "report.ptx"});
};

TEST_F(TritonFunctionTest, LaunchesWhatTheMetadataState) {
    Stream stream(device);
    TypedBuffer<int> results = device.allocate<int>(stream, 6);
    const Report report(code, triton_metadata(), device);
    report(stream, 2, results, 3);
    std::array<int, 6> found{};
    copy(stream, found, results);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{192, 0, 0, 192, 32, 0}));
    EXPECT_EQ(report.kernel().name(), "report");
}

TEST_F(TritonFunctionTest, AllocatesBothKindsOfScratchMemory) {
    Stream stream(device);
    TypedBuffer<int> results = device.allocate<int>(stream, 3);
    TritonMetadata metadata = triton_metadata();
    metadata.profile_scratch = TritonScratch{16, 16};
    Report(code, metadata, device)(stream, 1, results, 1);
    std::array<int, 3> found{};
    copy(stream, found, results);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{64, 0, 1}));
    metadata.global_scratch = TritonScratch{};  // the parameter is a null pointer
    Report(code, metadata, device)(stream, 1, results, 1);
    copy(stream, found, results);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{64, -1, 1}));
}

TEST_F(TritonFunctionTest, CanBeCaptured) {
    Stream stream(device);
    TypedBuffer<int> results = device.allocate<int>(stream, 6);
    GraphBuilder builder(device);
    stream.synchronize();
    builder.begin_building();
    Report(code, triton_metadata(), device)(builder.stream(), 2, results, 3);
    builder.end_building();
    Graph graph = builder.complete();
    graph.launch(stream);
    std::array<int, 6> found{};
    copy(stream, found, results);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{192, 0, 0, 192, 32, 0}));
}

TEST_F(TritonFunctionTest, RejectsMetadataOfAnotherKernel) {
    TritonMetadata metadata = triton_metadata();
    metadata.name = "softmax";
    EXPECT_THAT(message_of<LoadError>([&] { (void)Report(code, metadata, device); }),
                AllOf(HasSubstr("softmax"), HasSubstr("report")));
    metadata = triton_metadata();
    metadata.num_warps = 64;
    EXPECT_THAT(refusal_of(metadata), AllOf(HasSubstr("64 warps of 32"), HasSubstr("1024 threads")));
    metadata.num_warps = 4;  // the code states 64 threads, which the driver does not report
    Stream stream(device);
    const Report report(code, metadata, device);
    EXPECT_THAT(message_of<Error>([&] { report(stream, 1, nullptr, 1); }), HasSubstr("CUDA_ERROR_INVALID_VALUE"));
    metadata = triton_metadata();
    metadata.profile_scratch = std::nullopt;
    EXPECT_THAT(refusal_of(metadata), HasSubstr("4 parameters"));
    metadata = triton_metadata();
    metadata.shared = 10'000'000;
    EXPECT_THAT(refusal_of(metadata), AllOf(HasSubstr("10000000 bytes"), HasSubstr("232448")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)TritonFunction<void(int*)>(code, triton_metadata(), device); }),
                HasSubstr("report"));
}

TEST_F(TritonFunctionTest, RejectsImpossibleMetadata) {
    for (const int number : {0, -1, 1025}) {
        for (const auto member : {&TritonMetadata::num_warps, &TritonMetadata::warp_size, &TritonMetadata::num_ctas}) {
            TritonMetadata metadata = triton_metadata();
            metadata.*member = number;
            EXPECT_THAT(refusal_of(metadata), AllOf(HasSubstr(std::to_string(number)), HasSubstr("1 to 1024")));
        }
    }
    TritonMetadata metadata = triton_metadata();
    metadata.global_scratch = TritonScratch{32, 3};
    EXPECT_THAT(refusal_of(metadata), HasSubstr("3 bytes"));
    metadata.global_scratch = TritonScratch{std::size_t{1} << 62, 1};
    Stream stream(device);
    const Report report(code, metadata, device);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { report(stream, 4, nullptr, 1); }), HasSubstr("4 blocks"));
}

TEST_F(TritonFunctionTest, LaunchesAClusterForEachProgram) {
    Stream stream(device);
    TypedBuffer<int> results = device.allocate<int>(stream, 12);
    TritonMetadata metadata = triton_metadata();
    metadata.num_ctas = 2;
    const Report report(code, metadata, device);
    report(stream, 2, results, 1);
    std::array<int, 12> found{};
    copy(stream, found, results);
    stream.synchronize();
    EXPECT_EQ(found[10], 96);  // the offset of the last of four blocks
    EXPECT_THAT(message_of<std::invalid_argument>([&] { report(stream, 0x80000000u, results, 1); }),
                HasSubstr("2147483648 programs"));
}

}  // namespace
}  // namespace cubind::testing
