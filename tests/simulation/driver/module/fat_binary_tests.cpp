// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "fat_binary.hpp"
#include "kernel_test.hpp"
#include "support/decompress.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns PTX for a target with one kernel of this name.
std::string kernel_ptx(const std::string& name, const std::string& target) {
    return ".version 8.8\n.target " + target + "\n.address_size 64\n.visible .entry " + name + "() { ret; }\n" +
           std::string(400, '\n');
}

class SimFatBinaryTest : public SimTest {
protected:
    // Loads code, and returns the name of its first kernel, or an empty string. The status and the log are stored.
    std::string first_kernel(const void* code) {
        char text[1000] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {text, reinterpret_cast<void*>(sizeof text)};
        const auto loaded = cuModuleLoadDataEx(code, 2, options, values);
        status = loaded.status;
        log = text;
        return status == CUDA_SUCCESS ? name_of_first(loaded.value) : "";
    }
    std::string first_kernel(const std::string& code) { return first_kernel(static_cast<const void*>(code.data())); }
    static std::string name_of_first(CUmodule module) {
        CUfunction function = nullptr;
        EXPECT_EQ(cuModuleEnumerateFunctions(&function, 1, module).status, CUDA_SUCCESS);
        const auto name = cuFuncGetName(function);
        return name.ok() ? name.value : "";
    }

    CUresult status = CUDA_SUCCESS;
    std::string log;
};

TEST_F(SimFatBinaryTest, LoadsThePtxForTheHighestCapabilityThatTheDeviceRuns) {
    using Writer = FatBinaryWriter;
    FatBinaryWriter writer;
    writer.add(Writer::cubin, 90, "machine code").add(Writer::ptx, 75, kernel_ptx("for_75", "sm_75"));
    writer.add(Writer::ptx, 100, kernel_ptx("for_100", "sm_100"));
    EXPECT_EQ(first_kernel(writer.finish()), "for_75");
    writer.add(Writer::ptx, 90, kernel_ptx("for_90", "sm_90")).add(Writer::ptx, 80, kernel_ptx("for_80", "sm_80"));
    EXPECT_EQ(first_kernel(writer.finish()), "for_90");
    writer.add(Writer::ptx, 90, kernel_ptx("for_90a", "sm_90a"), Writer::plain | Writer::only_this_capability);
    EXPECT_EQ(first_kernel(writer.finish()), "for_90a");

    sim::install({.major = 10, .minor = 3});
    ASSERT_TRUE(cuInit(0).ok() && cuCtxCreate_v2(0, 0).ok());
    EXPECT_EQ(first_kernel(writer.finish()), "for_100");
    writer.add(Writer::ptx, 100, kernel_ptx("for_100f", "sm_100f"), Writer::plain | Writer::family);
    EXPECT_EQ(first_kernel(writer.finish()), "for_100f");
    writer.add(Writer::ptx, 100, kernel_ptx("for_100a", "sm_100a"), Writer::plain | Writer::only_this_capability);
    EXPECT_EQ(first_kernel(writer.finish()), "for_100f") << "a device of 10.3 is not one of 10.0";
}

TEST_F(SimFatBinaryTest, DecompressesPtx) {
    EXPECT_EQ(first_kernel(FatBinaryWriter().add_lz4(90, kernel_ptx("small", "sm_90")).finish()), "small");
    if (!cubind::sim::has_zstd()) GTEST_SKIP() << "libzstd.so.1 is not available";
    EXPECT_EQ(first_kernel(FatBinaryWriter().add_zstd(90, kernel_ptx("smaller", "sm_90")).finish()), "smaller");
}

TEST_F(SimFatBinaryTest, LoadsFromFilesLibrariesAndTheStructureOfAProgram) {
    const std::string code = FatBinaryWriter().add_lz4(90, kernel_ptx("small", "sm_90")).finish();
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("cubind_sim_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".fatbin");
    std::ofstream(path, std::ios::binary) << code;
    EXPECT_EQ(name_of_first(cuModuleLoad(path.c_str()).value), "small");
    std::ofstream(path, std::ios::binary) << code.substr(0, code.size() / 4);
    EXPECT_EQ(cuModuleLoad(path.c_str()).status, CUDA_ERROR_INVALID_IMAGE) << "the file is truncated";
    std::filesystem::remove(path);
    EXPECT_EQ(name_of_first(cuModuleLoadFatBinary(code.data()).value), "small");
    const CUlibrary library = cuLibraryLoadData(code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0).value;
    EXPECT_EQ(cuLibraryGetKernel(library, "small").status, CUDA_SUCCESS);

    struct {
        int magic = 0x466243b1;
        int version = 1;
        const void* code;
        const void* unused = nullptr;
    } wrapper{.code = code.data()};
    EXPECT_EQ(first_kernel(&wrapper), "small");
    wrapper.code = nullptr;
    EXPECT_EQ(first_kernel(&wrapper), "");
    EXPECT_EQ(status, CUDA_ERROR_INVALID_IMAGE);
}

TEST_F(SimFatBinaryTest, IsRefusedWithoutPtxThatTheDeviceRuns) {
    using Writer = FatBinaryWriter;
    const auto writer = FatBinaryWriter().add(Writer::cubin, 80, "x").add(Writer::ptx, 120, "x").add(Writer::lto_ir, 90, "x");
    EXPECT_EQ(first_kernel(writer.finish()), "");
    EXPECT_EQ(status, CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_THAT(log, AllOf(HasSubstr("machine code for sm_80"), HasSubstr("PTX for sm_120"), HasSubstr("LTO-IR for sm_90"),
                           HasSubstr("code=compute_90")));
    first_kernel(FatBinaryWriter().add(Writer::ptx, 90, "x", Writer::plain, 100).finish());
    EXPECT_EQ(status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(log, AllOf(HasSubstr("unknown method"), HasSubstr("--no-compress")));
}

TEST_F(SimFatBinaryTest, IsRefusedIfItIsDamaged) {
    using Writer = FatBinaryWriter;
    const std::string text = kernel_ptx("k", "sm_90");
    const auto status_of = [&](const FatBinaryWriter& writer) {
        first_kernel(writer.finish());
        return status;
    };
    const std::string block = FatBinaryWriter::lz4_block(text);
    constexpr auto flags = Writer::plain | Writer::lz4;
    EXPECT_EQ(status_of(FatBinaryWriter().add(Writer::ptx, 90, block, flags, text.size() + 1)), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(status_of(FatBinaryWriter().add(Writer::ptx, 90, block, flags, text.size() - 1)), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(status_of(FatBinaryWriter().add(Writer::ptx, 90, block, flags, std::uint64_t{1} << 62)), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(status_of(FatBinaryWriter().add(Writer::ptx, 90, block, Writer::plain | Writer::zstd, text.size())),
              cubind::sim::has_zstd() ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_NOT_SUPPORTED);
    std::string entry_beyond_the_end = FatBinaryWriter().add(Writer::ptx, 90, text).finish();
    entry_beyond_the_end[16 + 8 + 2] = 1;
    first_kernel(entry_beyond_the_end);
    EXPECT_EQ(status, CUDA_ERROR_INVALID_IMAGE);
}

TEST(Lz4Test, DecompressesOrRejectsEveryPrefix) {
    const std::string text = "abc" + std::string(1000, 'x') + "defgh" + std::string(300, '-') + "end.";
    const std::string block = FatBinaryWriter::lz4_block(text);
    EXPECT_LT(block.size(), 60u);
    std::string output(text.size(), '\0');
    ASSERT_TRUE(cubind::sim::decompress_lz4(block, output));
    EXPECT_EQ(output, text);
    for (std::size_t length = 0; length < block.size(); ++length) {
        EXPECT_FALSE(cubind::sim::decompress_lz4(std::string_view(block).substr(0, length), output)) << length;
    }
}

}  // namespace
}  // namespace cubind::testing
