// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvrtc.hpp>

#include "random_call.hpp"
#include "validate_test.hpp"

namespace cubind::testing {
namespace {

namespace validate = layers::validate;

class ValidateTest : public StubbedTest {
protected:
    void SetUp() override {
        StubbedTest::SetUp();
        stub.answer = [this](const cubind::Call&) { ++calls; };
        start();
    }
    void start(validate::Action action = validate::Action::warn) {
        auto options = findings.options(action);
        options.unknown_handles = false;
        validate::start(options);
    }
    std::string message() {
        const auto messages = findings.messages();
        return messages.size() == 1 ? messages.front() : std::to_string(messages.size()) + " findings";
    }

    Findings findings;
    int calls = 0;
};

TEST_F(ValidateTest, ReportsNulls) {
    cuMemcpy2D_v2(nullptr);
    EXPECT_EQ(message(), "cuMemcpy2D_v2: pCopy is null; expected a pointer to one object");
    cuMemcpyHtoD(0x10, nullptr, 12);
    EXPECT_EQ(message(), "cuMemcpyHtoD_v2: srcHost is null; expected a pointer to 12 bytes");
    cuMemcpyHtoD(0x10, nullptr, 0);
    EXPECT_EQ(message(), "0 findings") << "0 bytes need no memory";
    cuDeviceGetByPCIBusId(nullptr);
    EXPECT_EQ(message(), "cuDeviceGetByPCIBusId: pciBusId is null; expected a pointer to text");
    cuLaunchHostFunc(nullptr, nullptr, nullptr);
    EXPECT_EQ(message(), "cuLaunchHostFunc: fn is null; expected a pointer to a function");
    cuStreamSynchronize(nullptr);
    EXPECT_EQ(message(), "0 findings") << "the default stream";
    CUgraphNode node = nullptr;
    cuGraphGetNodes(handle<CUgraph>(0x40), &node, 1);
    cuGraphGetNodes(handle<CUgraph>(0x40), nullptr, 0);
    EXPECT_EQ(message(), "0 findings") << "a query of the number of nodes";
}

TEST_F(ValidateTest, FillsTheMembersOfAFinding) {
    cuMemcpy2D_v2(nullptr);
    const auto all = findings.all();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].library, "driver");
    EXPECT_EQ(all[0].function, "cuMemcpy2D_v2");
    EXPECT_EQ(all[0].parameter, "pCopy");
    EXPECT_EQ(validate::findings(), 1u);
    start();
    EXPECT_EQ(validate::findings(), 0u) << "since the start";
}

TEST_F(ValidateTest, ReportsNegativeCounts) {
    char name[4];
    cuDeviceGetName(name, -1, 0);
    const auto messages = findings.messages();
    ASSERT_FALSE(messages.empty());
    EXPECT_THAT(messages, ::testing::Contains("cuDeviceGetName: len is -1; expected 0 or more"));
    const char* const option = "-G";
    cubind::nvrtc::nvrtcCompileProgram(nullptr, -3, &option);
    EXPECT_THAT(findings.messages(), ::testing::Contains("nvrtcCompileProgram: numOptions is -3; expected 0 or more"));
}

// Pointers to more than a process can address are reported and not read.
TEST_F(ValidateTest, ReportsHugeCounts) {
    CUgraphNode node = nullptr;
    const CUgraphNode* const nodes = &node;
    cuGraphAddEmptyNode(handle<CUgraph>(0x40), nodes, ~std::size_t{0});
    EXPECT_THAT(message(),
                ::testing::StartsWith("cuGraphAddEmptyNode: dependencies is a pointer to 18446744073709551615 elements"));
    char byte = 0;
    cuMemcpyHtoD(0x10, &byte, std::size_t{1} << 60);
    EXPECT_THAT(message(), ::testing::StartsWith("cuMemcpyHtoD_v2: srcHost is a pointer to 1152921504606846976 bytes"));
    cuMemcpyHtoD(0x10, &byte, 1);
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateTest, ReportsValuesThatAreNotEnumerators) {
    cuDeviceGetAttribute(static_cast<CUdevice_attribute>(4000), 0);
    const std::string text = message();
    EXPECT_THAT(text, ::testing::StartsWith("cuDeviceGetAttribute: attrib is 4000,"));
    EXPECT_THAT(text, HasSubstr("CUdevice_attribute"));
    EXPECT_THAT(text, HasSubstr("CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK (1), "));
    EXPECT_THAT(text, ::testing::EndsWith(", ..."));
    EXPECT_LT(text.size(), 400u);
    cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
    EXPECT_EQ(message(), "0 findings");
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_CONTEXT, static_cast<CUpointer_attribute>(700)};
    void* data[2] = {};
    cuPointerGetAttributes(2, attributes, data, 0x10);
    EXPECT_THAT(message(), ::testing::AllOf(::testing::StartsWith("cuPointerGetAttributes: attributes is at [1] 700,"),
                                            HasSubstr("CUpointer_attribute")));
    cuPointerGetAttributes(1, attributes, data, 0x10);
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateTest, ReportsFieldsOfRecords) {
    CUDA_MEMCPY2D copy{};
    copy.dstMemoryType = static_cast<CUmemorytype>(9);
    cuMemcpy2D_v2(&copy);
    EXPECT_THAT(message(),
                ::testing::AllOf(::testing::StartsWith("cuMemcpy2D_v2: pCopy is a record whose field dstMemoryType is 9,"),
                                 HasSubstr("CUmemorytype")));
    CUmemPoolProps properties{};
    properties.location.type = static_cast<CUmemLocationType>(77);
    cuMemPoolCreate(&properties);
    EXPECT_THAT(message(),
                ::testing::AllOf(::testing::StartsWith("cuMemPoolCreate: poolProps is a record whose field location.type is 77,"),
                                 HasSubstr("CUmemLocationType")));
}

TEST_F(ValidateTest, ReportsPointersThatCannotBeRead) {
    const auto* const end = end_of_readable_memory();
    cuMemcpy2D_v2(reinterpret_cast<const CUDA_MEMCPY2D*>(end));
    EXPECT_THAT(message(), ::testing::MatchesRegex("cuMemcpy2D_v2: pCopy is 0x[0-9a-f]+, .*cannot read.* 128 bytes"));
    cuGraphAddEmptyNode(nullptr, reinterpret_cast<const CUgraphNode*>(end - 8), 2);
    EXPECT_THAT(message(), ::testing::MatchesRegex("cuGraphAddEmptyNode: dependencies is 0x[0-9a-f]+, .*cannot read.* 16 bytes"));
}

TEST_F(ValidateTest, AcceptsCombinedBits) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.handleTypes =
        static_cast<CUmemAllocationHandleType>(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC);
    cuMemPoolCreate(&properties);
    EXPECT_EQ(message(), "0 findings");
    properties.handleTypes = static_cast<CUmemAllocationHandleType>(1 << 20);
    cuMemPoolCreate(&properties);
    EXPECT_THAT(message(), ::testing::AllOf(HasSubstr("handleTypes is 1048576,"), HasSubstr("CUmemAllocationHandleType")));
}

TEST_F(ValidateTest, ReportsEachMistakeOnce) {
    cuMemcpyDtoH(nullptr, 0, 4);
    EXPECT_EQ(message(), "cuMemcpyDtoH_v2: dstHost is null; expected a pointer to 4 bytes");
    cubind::nvrtc::nvrtcCreateProgram(nullptr, nullptr, 1, nullptr, nullptr);
    EXPECT_GE(findings.messages().size(), 1u);
}

TEST_F(ValidateTest, WarnsOrFails) {
    EXPECT_EQ(cuMemcpy2D_v2(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(calls, 1) << "the call is made";
    start(validate::Action::fail);
    EXPECT_EQ(cuMemcpy2D_v2(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(calls, 1) << "the call is not made";
    const auto status = cubind::nvrtc::nvrtcCreateProgram(nullptr, nullptr, 0, nullptr, nullptr).status;
    EXPECT_EQ(status, cubind::nvrtc::NVRTC_ERROR_INVALID_INPUT);
    EXPECT_EQ(calls, 1);
    cubind::nvrtc::nvrtcGetErrorString(static_cast<cubind::nvrtc::nvrtcResult>(1234));
    EXPECT_EQ(calls, 2) << "the function returns no status, so the call is made";
    validate::stop();
    EXPECT_EQ(cuMemcpy2D_v2(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(calls, 3);
}

TEST_F(ValidateTest, WritesToTheErrorStreamWithoutAReport) {
    ::testing::internal::CaptureStderr();
    validate::start({.unknown_handles = false});
    cuMemcpy2D_v2(nullptr);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "cubind: validate: driver: cuMemcpy2D_v2: pCopy is null; expected a pointer to one object\n");
}

}  // namespace
}  // namespace cubind::testing
