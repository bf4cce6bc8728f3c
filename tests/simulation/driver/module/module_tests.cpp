// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using SimModuleTest = KernelTest;

TEST_F(SimModuleTest, ReturnsItsFunctions) {
    EXPECT_EQ(function("saxpy"), function("saxpy"));
    EXPECT_NE(function("saxpy"), function("empty"));
    EXPECT_STREQ(cuFuncGetName(function("saxpy")).value, "saxpy");
    EXPECT_EQ(cuFuncGetModule(function("saxpy")).value, module);
    EXPECT_EQ(cuModuleGetFunctionCount(module).value, 9u);
    CUfunction functions[20] = {};
    EXPECT_EQ(cuModuleEnumerateFunctions(functions, 20, module).status, CUDA_SUCCESS);
    EXPECT_EQ(functions[1], function("saxpy"));
    EXPECT_EQ(functions[9], nullptr);
    EXPECT_EQ(cuModuleGetFunction(module, "nope").status, CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuModuleGetFunction(module, "").status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuModuleGetFunction(module, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuModuleEnumerateFunctions(nullptr, 1, module).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimModuleTest, ReturnsItsVariables) {
    auto [status, counter, size] = cuModuleGetGlobal(module, "counter");
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(size, 4u);
    unsigned value = 0;
    EXPECT_EQ(cuMemcpyDtoH(&value, counter, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(value, 7u);
    CUdeviceptr pointer = 0;
    EXPECT_EQ(cuMemcpyDtoH(&pointer, cuModuleGetGlobal(module, "pointer").value1, 8).status, CUDA_SUCCESS);
    EXPECT_EQ(pointer, counter);
    unsigned char coefficients[64];
    const auto constants = cuModuleGetGlobal(module, "coefficients");
    EXPECT_EQ(cuMemcpyDtoH(coefficients, constants.value1, constants.value2).status, CUDA_SUCCESS);
    EXPECT_EQ(coefficients[2], 3);
    EXPECT_EQ(coefficients[63], 0);
    EXPECT_EQ(*reinterpret_cast<int*>(cuModuleGetGlobal(module, "managed").value1), 3);
    EXPECT_EQ(cuModuleGetGlobal(module, "nope").status, CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuMemFree(counter).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemFreeAsync(counter, nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

// Returns the bytes of memory that the process uses.
std::size_t resident_bytes() {
    std::size_t total = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * 4096;
}

// The kernel stores 1 for an address in .const and 2 for one in .global, and then stores through the address of the constant.
TEST_F(SimModuleTest, DistinguishesConstantsInKernels) {
    const CUmodule tested = load(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .const .align 4 .u32 constant = 7;
.visible .global .align 4 .u32 results[2];
.visible .entry test() {
    .reg .b64 %a;
    .reg .b32 %r;
    .reg .pred %c, %g;
    cvta.const.u64 %a, constant;
    isspacep.const %c, %a;
    isspacep.global %g, %a;
    mov.b32 %r, 0;
    @%c add.u32 %r, %r, 1;
    @%g add.u32 %r, %r, 2;
    st.global.u32 [results], %r;
    st.u32 [%a], 8;
    cvta.global.u64 %a, results;
    isspacep.const %c, %a;
    isspacep.global %g, %a;
    mov.b32 %r, 0;
    @%c add.u32 %r, %r, 1;
    @%g add.u32 %r, %r, 2;
    st.global.u32 [results+4], %r;
    ret;
})");
    EXPECT_EQ(launch(cuModuleGetFunction(tested, "test").value), CUDA_SUCCESS);
    unsigned results[2] = {};
    unsigned constant = 0;
    EXPECT_EQ(cuMemcpyDtoH(results, cuModuleGetGlobal(tested, "results").value1, sizeof results).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(&constant, cuModuleGetGlobal(tested, "constant").value1, sizeof constant).status, CUDA_SUCCESS);
    EXPECT_EQ(results[0], 1u);
    EXPECT_EQ(results[1], 2u);
    EXPECT_EQ(constant, 8u);
}

TEST_F(SimModuleTest, UsesNoMemoryForZerosOfALargeVariable) {
    constexpr std::size_t size = std::size_t{4} << 30;
    cubind::sim::install({.memory = 2 * size});
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
    const char* const large = ".version 7.0\n.target sm_70\n.address_size 64\n.global .b8 large[4294967296];\n";
    const std::size_t before = resident_bytes();
    for (int round = 0; round < 2; ++round) {
        const auto [status, loaded] = cuModuleLoadData(large);
        ASSERT_EQ(status, CUDA_SUCCESS);
        const CUdeviceptr variable = cuModuleGetGlobal(loaded, "large").value1;
        for (const std::size_t offset : {std::size_t{0}, size / 2, size - 1}) {
            unsigned char value = 9;
            EXPECT_EQ(cuMemcpyDtoH(&value, variable + offset, 1).status, CUDA_SUCCESS);
            EXPECT_EQ(value, 0) << "byte " << offset << " in round " << round;
            EXPECT_EQ(cuMemsetD8(variable + offset, 5, 1).status, CUDA_SUCCESS);
        }
        EXPECT_LT(resident_bytes(), before + (std::size_t{64} << 20));
        EXPECT_EQ(cuModuleUnload(loaded).status, CUDA_SUCCESS);
    }
}

TEST_F(SimModuleTest, InvalidatesItsFunctionsAndVariablesWhenItIsUnloaded) {
    const CUfunction saxpy = function("saxpy");
    const CUdeviceptr counter = cuModuleGetGlobal(module, "counter").value1;
    EXPECT_EQ(cuModuleUnload(module).status, CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuModuleUnload(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuModuleGetFunction(module, "saxpy").status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, saxpy).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemsetD8(counter, 0, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
}

TEST_F(SimModuleTest, IsUnloadedWithItsContext) {
    const CUfunction saxpy = function("saxpy");
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    ASSERT_TRUE(cuCtxCreate_v2(0, 0).ok());
    EXPECT_EQ(cuModuleGetFunction(module, "saxpy").status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(launch(saxpy), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
}

TEST_F(SimModuleTest, ReportsAFileThatCannotBeRead) {
    EXPECT_EQ(cuModuleLoad("/").status, CUDA_ERROR_OUT_OF_MEMORY) << "a folder";
    EXPECT_EQ(cuLibraryLoadFromFile("/", nullptr, nullptr, 0, nullptr, nullptr, 0).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuModuleGetGlobal(module, "empty").status, CUDA_ERROR_INVALID_VALUE) << "a function";
}

TEST_F(SimModuleTest, LoadsFromAFile) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("cubind_sim_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".ptx");
    std::ofstream(path) << test_ptx;
    auto [status, loaded] = cuModuleLoad(path.c_str());
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunctionCount(loaded).value, 9u);
    std::filesystem::remove(path);
    EXPECT_EQ(cuModuleLoad(path.c_str()).status, CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT_EQ(cuModuleLoad(nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

// Loads code with an error log of `size` bytes.
struct LoadAttempt {
    explicit LoadAttempt(const std::string& code, std::size_t size = 1000) {
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log, reinterpret_cast<void*>(size)};
        status = cuModuleLoadDataEx(code.c_str(), 2, options, values).status;
        reported = reinterpret_cast<std::size_t>(values[1]);
    }
    CUresult status;
    char log[1000] = "untouched";
    std::size_t reported = 0;
};

// Returns the header of a 64-bit ELF file for a machine.
std::string elf_header(char machine) {
    std::string header =
        "\x7f"
        "ELF\2\1\1";
    header.resize(64);
    header[18] = machine;
    return header;
}

TEST_F(SimModuleTest, ReportsWhyCodeCannotBeLoaded) {
    const auto text = [](const char* version, const char* target) {
        return std::string(".version ") + version + "\n.target " + target + "\n.entry k() { ret; }\n";
    };
    EXPECT_EQ(LoadAttempt(text("8.0", "sm_90a")).status, CUDA_SUCCESS);
    EXPECT_STREQ(LoadAttempt(text("8.0", "sm_90a")).log, "");
    EXPECT_EQ(LoadAttempt(text("99.0", "sm_90")).status, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    const std::string newest = cubind::detail::release_text(std::end(cubind::detail::ptx_isa_of_releases)[-1].ptx_isa);
    EXPECT_THAT(LoadAttempt(text("99.0", "sm_90")).log, AllOf(HasSubstr("99.0"), HasSubstr(newest)));
    EXPECT_EQ(LoadAttempt(text("9.0", "sm_120")).status, CUDA_ERROR_INVALID_PTX);
    EXPECT_THAT(LoadAttempt(text("9.0", "sm_120")).log, AllOf(HasSubstr("sm_120"), HasSubstr("9.0")));
    EXPECT_EQ(LoadAttempt(text("8.0", "sm_90") + ".nonsense").status, CUDA_ERROR_INVALID_PTX);
    EXPECT_EQ(LoadAttempt("garbage").status, CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(LoadAttempt("").status, CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(LoadAttempt("\x7f"
                          "ELF")
                  .status,
              CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(LoadAttempt(elf_header(62)).status, CUDA_ERROR_INVALID_IMAGE) << "a host program";
    EXPECT_EQ(LoadAttempt(elf_header('\xbe')).status, CUDA_ERROR_INVALID_IMAGE) << "a cubin of an unknown format";
    EXPECT_THAT(LoadAttempt(elf_header('\xbe')).log, AllOf(HasSubstr("cubin"), HasSubstr("format")));
    EXPECT_EQ(LoadAttempt("\x50\xed\x55\xba").status, CUDA_ERROR_INVALID_IMAGE) << "the beginning of a fat binary";
    EXPECT_EQ(cuModuleLoadData(nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimModuleTest, TruncatesTheLogToItsBuffer) {
    const LoadAttempt whole("garbage");
    EXPECT_EQ(whole.reported, std::string(whole.log).size());
    const LoadAttempt cut("garbage", 8);
    EXPECT_EQ(std::string(cut.log), std::string(whole.log).substr(0, 7));
    EXPECT_EQ(cut.reported, 8u);
    EXPECT_STREQ(LoadAttempt("garbage", 0).log, "untouched");
    CUjit_option unknown[] = {static_cast<CUjit_option>(999)};
    void* values[] = {nullptr};
    EXPECT_EQ(cuModuleLoadDataEx(test_ptx, 1, unknown, values).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuModuleLoadDataEx(test_ptx, 1, nullptr, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    for (const CUjit_option half : {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                                    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES}) {
        unknown[0] = half;
        EXPECT_EQ(cuModuleLoadDataEx(test_ptx, 1, unknown, values).status, CUDA_ERROR_INVALID_VALUE) << half;
    }
}

TEST_F(SimModuleTest, RequiresMemoryForItsVariables) {
    const std::size_t before = cuMemGetInfo().value1;
    EXPECT_EQ(cuModuleLoadData(".version 8.0\n.target sm_90\n.global .u8 a[9]; .global .u8 b[2000000000];").status,
              CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemGetInfo().value1, before);
}

TEST(SimModuleReleaseTest, RejectsPtxThatIsNewerThanTheRelease) {
    sim::install({.release = "12.4"});
    ASSERT_TRUE(cuInit(0).ok());
    ASSERT_TRUE(cuCtxCreate_v2(0, 0).ok());
    EXPECT_EQ(cuModuleLoadData(".version 8.4\n.target sm_90").status, CUDA_SUCCESS);
    EXPECT_EQ(cuModuleLoadData(".version 8.5\n.target sm_90").status, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    sim::uninstall();
}

}  // namespace
}  // namespace cubind::testing
