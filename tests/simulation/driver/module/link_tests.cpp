// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>
#include <utility>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

class SimLinkTest : public KernelTest {
protected:
    void SetUp() override {
        KernelTest::SetUp();
        auto [status, created] = cuLinkCreate(2, options, values);
        ASSERT_EQ(status, CUDA_SUCCESS);
        link = created;
    }

    CUresult add(const char* text, CUjitInputType type = CU_JIT_INPUT_PTX, const char* name = "name") const {
        return cuLinkAddData(link, type, const_cast<char*>(text), std::strlen(text) + 1, name, 0, nullptr, nullptr).status;
    }
    // Adds PTX with this content.
    CUresult add_module(const std::string& content, const char* name,
                        const char* header = ".version 8.0\n.target sm_90\n") const {
        return add((header + content).c_str(), CU_JIT_INPUT_PTX, name);
    }
    // Completes the link and loads the result.
    CUmodule load_result() const {
        const auto [status, code, size] = cuLinkComplete(link);
        EXPECT_EQ(status, CUDA_SUCCESS) << log;
        return status == CUDA_SUCCESS ? load(static_cast<const char*>(code)) : nullptr;
    }
    // Runs a kernel of one thread that has the address of a number as its parameter, and returns the number.
    static unsigned run(CUmodule linked, const char* kernel) {
        CUdeviceptr memory = allocate(sizeof(unsigned));
        void* parameters[] = {&memory};
        const CUfunction found = cuModuleGetFunction(linked, kernel).value;
        EXPECT_EQ(cuLaunchKernel(found, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr).status, CUDA_SUCCESS);
        unsigned result = 0;
        EXPECT_EQ(cuMemcpyDtoH(&result, memory, sizeof result).status, CUDA_SUCCESS);
        return result;
    }

    char log[1000] = "untouched";
    CUjit_option options[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[2] = {log, reinterpret_cast<void*>(sizeof log)};
    CUlinkState link = nullptr;
};

TEST_F(SimLinkTest, ReturnsCodeThatLoads) {
    EXPECT_EQ(add(test_ptx), CUDA_SUCCESS);
    const auto [status, code, size] = cuLinkComplete(link);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(size, std::strlen(test_ptx) + 1);
    EXPECT_STREQ(log, "");
    EXPECT_TRUE(cuModuleGetFunction(load(static_cast<const char*>(code)), "saxpy").ok());
    EXPECT_EQ(add(test_ptx), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuLinkDestroy(link).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLinkDestroy(link).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimLinkTest, ReturnsEmptyCodeForNoInput) {
    const auto [status, code, size] = cuLinkComplete(link);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunctionCount(load(static_cast<const char*>(code))).value, 0u);
}

TEST_F(SimLinkTest, ReadsOnlyTheGivenSize) {
    char text[] = ".version 8.0\n.target sm_90\ngarbage";
    const std::size_t size = std::strlen(text) - std::strlen("garbage");
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, text, size, nullptr, 0, nullptr, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLinkComplete(link).value2, size + 1);
}

TEST_F(SimLinkTest, ReportsWhyItRejectsAnInput) {
    EXPECT_EQ(add("garbage"), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_NE(std::string(log).find(".version"), std::string::npos);
    EXPECT_EQ(add(".version 8.0\n.target sm_90\nnonsense"), CUDA_ERROR_INVALID_PTX);
    EXPECT_NE(std::string(log).find("line 3"), std::string::npos) << "the second message can use the whole buffer";
    EXPECT_EQ(add(".version 9.0\n.target sm_120"), CUDA_ERROR_INVALID_PTX);
    EXPECT_EQ(add(".version 99.0\n.target sm_90"), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    EXPECT_EQ(add("\x7f"
                  "ELF",
                  CU_JIT_INPUT_CUBIN),
              CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_NE(std::string(log).find("machine code"), std::string::npos);
    EXPECT_EQ(add(test_ptx, CU_JIT_INPUT_CUBIN), CUDA_SUCCESS)
        << "compilers hand out PTX as machine code in programs of cubind-sim";
    EXPECT_EQ(add(test_ptx, CU_JIT_INPUT_NVVM), CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
    EXPECT_NE(std::string(log).find("nvJitLink"), std::string::npos);
    EXPECT_EQ(add(test_ptx, CU_JIT_INPUT_OBJECT), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(add(test_ptx, CU_JIT_INPUT_FATBINARY), CUDA_SUCCESS) << "drivers accept PTX as a fat binary";
}

constexpr char add_one[] = R"(
    .global .u32 $text = 1;
    .visible .func (.param .b32 result) add_one(.param .b32 x) {
        .reg .b32 %x, %one;
        ld.param.b32 %x, [x];
        ld.global.u32 %one, [$text];
        add.u32 %x, %x, %one;
        st.param.b32 [result], %x;
        ret;
    })";
constexpr char call_add_one[] = R"(
    .extern .func (.param .b32 result) add_one(.param .b32 x);
    .global .u32 $text = 41;
    .visible .entry k(.param .u64 out) {
        .reg .b32 %x;
        .reg .b64 %out;
        ld.global.u32 %x, [$text];
        {
            .param .b32 x;
            .param .b32 result;
            st.param.b32 [x], %x;
            call (result), add_one, (x);
            ld.param.b32 %x, [result];
        }
        ld.param.u64 %out, [out];
        st.global.u32 [%out], %x;
        ret;
    })";

TEST_F(SimLinkTest, JoinsModulesWhoseLocalNamesAreEqual) {
    EXPECT_EQ(add_module(call_add_one, "kernel"), CUDA_SUCCESS);
    EXPECT_EQ(add_module(add_one, "function", ".version 8.1\n.target sm_80\n"), CUDA_SUCCESS);
    EXPECT_EQ(run(load_result(), "k"), 42u);
}

TEST_F(SimLinkTest, SharesVariablesWithLinkage) {
    constexpr char reader[] = R"(
        .extern .global .u32 shared_number;
        .weak .global .u32 weak_number = 5;
        .visible .entry k(.param .u64 out) {
            .reg .b32 %a, %b;
            .reg .b64 %out;
            ld.global.u32 %a, [shared_number];
            ld.global.u32 %b, [weak_number];
            add.u32 %a, %a, %b;
            ld.param.u64 %out, [out];
            st.global.u32 [%out], %a;
            ret;
        })";
    EXPECT_EQ(add_module(reader, "reader"), CUDA_SUCCESS);
    EXPECT_EQ(add_module(".visible .global .u32 shared_number = 30;\n.visible .global .u32 weak_number = 7;", "numbers"),
              CUDA_SUCCESS);
    EXPECT_EQ(run(load_result(), "k"), 37u);
}

TEST_F(SimLinkTest, RenumbersTheFilesOfLocations) {
    const auto kernel = [](const std::string& name, const std::string& file) {
        return ".file 1 \"" + file + "\"\n.visible .entry " + name +
               "(.param .u64 out) {\n.reg .b64 %out;\n.loc 1 7 1\nmov.u64 %out, 0;\nst.global.u64 [%out], %out;\nret;\n}\n";
    };
    EXPECT_EQ(add_module(kernel("first", "first.cu"), "first"), CUDA_SUCCESS);
    EXPECT_EQ(add_module(kernel("second", "second.cu"), "second"), CUDA_SUCCESS);
    const CUfunction second = cuModuleGetFunction(load_result(), "second").value;
    CUdeviceptr unused = 0;
    void* parameters[] = {&unused};
    EXPECT_EQ(launch(second, parameters), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_ILLEGAL_ADDRESS);
    ASSERT_FALSE(sim::launches().empty());
    EXPECT_NE(sim::launches().back().problem.find("second.cu:7"), std::string::npos) << sim::launches().back().problem;
}

TEST_F(SimLinkTest, ReportsUndefinedAndDuplicateSymbols) {
    EXPECT_EQ(add_module(call_add_one, "kernel.cu"), CUDA_SUCCESS);
    EXPECT_EQ(add_module(".visible .entry k() { ret; }", "other.cu"), CUDA_SUCCESS);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_UNKNOWN);
    for (const char* text : {"undefined", "'add_one'", "'kernel.cu'", "'k'", "'other.cu'"}) {
        EXPECT_NE(std::string(log).find(text), std::string::npos) << text << " in " << log;
    }
}

TEST_F(SimLinkTest, LeavesUndefinedFunctionsToTheirCallsIfTheOptionsAllowIt) {
    sim::Options lenient = machine_options;
    lenient.allows_undefined_functions = true;
    start(lenient);
    link = cuLinkCreate(2, options, values).value;
    EXPECT_EQ(add_module(call_add_one, "kernel.cu"), CUDA_SUCCESS);
    EXPECT_EQ(add_module(".visible .entry other() { ret; }", "other.cu"), CUDA_SUCCESS);
    const CUmodule linked = load_result();
    EXPECT_EQ(launch(cuModuleGetFunction(linked, "other").value, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    CUdeviceptr unused = allocate(8);
    void* parameters[] = {&unused};
    EXPECT_EQ(launch(cuModuleGetFunction(linked, "k").value, parameters), CUDA_SUCCESS);
    EXPECT_NE(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_NE(sim::launches().back().problem.find("function add_one is not defined"), std::string::npos)
        << sim::launches().back().problem;
}

TEST_F(SimLinkTest, HidesNamesWithoutLinkageFromOtherModules) {
    EXPECT_EQ(add_module(call_add_one, "kernel"), CUDA_SUCCESS);
    EXPECT_EQ(add_module(".func (.param .b32 r) add_one(.param .b32 x) { ret; }\n.entry other() { ret; }", "local"),
              CUDA_SUCCESS);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_UNKNOWN);
}

constexpr char call_runtime[] = R"(
    .extern .func (.param .b32 result) __cudaCDP2PeekAtLastError();
    .extern .func (.param .b32 result) cudaUnknown();
    .visible .entry k(.param .u64 out) {
        .reg .b32 %x;
        .reg .b64 %out;
        {
            .param .b32 result;
            call (result), __cudaCDP2PeekAtLastError, ();
            ld.param.b32 %x, [result];
        }
        add.u32 %x, %x, 42;
        ld.param.u64 %out, [out];
        st.global.u32 [%out], %x;
        ret;
    })";
constexpr char runtime_library[] = "!<arch>\ncuda_device_runtime.o/";

TEST_F(SimLinkTest, ProvidesTheRuntimeForDeviceCodeInPlaceOfItsLibrary) {
    EXPECT_EQ(add_module(call_runtime, "kernel"), CUDA_SUCCESS);
    EXPECT_EQ(add(runtime_library, CU_JIT_INPUT_LIBRARY), CUDA_SUCCESS);
    EXPECT_EQ(run(load_result(), "k"), 42u);
    // The result of a link can be an input of another one.
    const CUlinkState first = std::exchange(link, cuLinkCreate(2, options, values).value);
    EXPECT_EQ(add_module(call_runtime, "kernel"), CUDA_SUCCESS);
    EXPECT_EQ(add(runtime_library, CU_JIT_INPUT_LIBRARY), CUDA_SUCCESS);
    EXPECT_EQ(add_module(add_one, "function"), CUDA_SUCCESS);
    const std::string linked = static_cast<const char*>(cuLinkComplete(link).value1);
    EXPECT_EQ(cuLinkDestroy(first).status, CUDA_SUCCESS);
    link = cuLinkCreate(2, options, values).value;
    EXPECT_EQ(add(linked.c_str()), CUDA_SUCCESS);
    EXPECT_EQ(add_module(".visible .entry other() { ret; }", "other"), CUDA_SUCCESS);
    EXPECT_EQ(run(load_result(), "k"), 42u);
}

TEST_F(SimLinkTest, ReportsTheRuntimeForDeviceCodeAsUndefinedWithoutItsLibrary) {
    EXPECT_EQ(add_module(call_runtime, "kernel"), CUDA_SUCCESS);
    EXPECT_EQ(add("!<arch>\nother.o/", CU_JIT_INPUT_LIBRARY), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_UNKNOWN);
    EXPECT_NE(std::string(log).find("'__cudaCDP2PeekAtLastError'"), std::string::npos) << log;
    const std::string text = std::string(".version 8.0\n.target sm_90\n") + call_runtime;
    EXPECT_EQ(cuModuleLoadData(text.c_str()).status, CUDA_ERROR_INVALID_PTX);
}

TEST_F(SimLinkTest, RejectsInvalidArguments) {
    constexpr CUresult invalid = CUDA_ERROR_INVALID_VALUE;
    char text[] = ".version 8.0\n.target sm_90\n";
    const auto add_data = [&](CUjitInputType type, void* data, std::size_t size, unsigned count) {
        return cuLinkAddData(link, type, data, size, "name", count, nullptr, nullptr).status;
    };
    EXPECT_EQ(add_data(CU_JIT_INPUT_PTX, nullptr, 5, 0), invalid);
    EXPECT_EQ(add_data(CU_JIT_INPUT_PTX, text, 0, 0), invalid);
    EXPECT_EQ(add_data(CU_JIT_INPUT_PTX, text, sizeof text, 1), invalid) << "an option is missing";
    EXPECT_EQ(add_data(static_cast<CUjitInputType>(99), text, sizeof text, 0), invalid);
    EXPECT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/no such file", 0, nullptr, nullptr).status, CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_PTX, nullptr, 0, nullptr, nullptr).status, invalid);
    EXPECT_EQ(cuLinkCreate(1, options, values).status, invalid) << "the size of the buffer is missing";
    EXPECT_EQ(cuLinkDestroy(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLinkCreate(0, nullptr, nullptr).status, CUDA_ERROR_INVALID_CONTEXT);
}

}  // namespace
}  // namespace cubind::testing
