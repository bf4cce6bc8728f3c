// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads the PTX and the machine code that the NVRTC in CUBIND_NVRTC_LIBRARY emits for each architecture that it supports.
#include <cubind/nvrtc.hpp>

#include <cstring>
#include <string>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

namespace nvrtc = cubind::nvrtc;

constexpr const char* source = R"(
#if __CUDA_ARCH__ < 700
#define __grid_constant__
#endif
struct Settings { int a; double b; char c; };
__constant__ float coefficients[16] = {1.0f, 2.0f};
__constant__ Settings settings;
__device__ int counter = 7;
__device__ unsigned char bytes[5] = {1, 2, 3};
__device__ int* pointer = &counter;
__device__ const char* text = "hello\"\\\n";
__managed__ int managed = 3;
extern __shared__ float dynamic[];
template <class T>
__global__ void add(T* a, const T* b, T factor, long long n) {
    __shared__ T tile[128];
    tile[threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] += tile[127 - threadIdx.x] * factor;
}
template __global__ void add<double>(double*, const double*, double, long long);
extern "C" __global__ void __launch_bounds__(256, 2) bounded(Settings s, char c, int* p) {
    *p = s.a + c + counter + (int)coefficients[s.a] + bytes[s.a] + *pointer + text[0] + managed;
    dynamic[threadIdx.x] = *p;
}
extern "C" __global__ void constant(const __grid_constant__ Settings s, Settings* out) { out[0] = s; out[1] = settings; }
extern "C" __global__ void empty() {}
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void __cluster_dims__(2, 1, 1) clustered(float4 v, float* p) { *p = v.x; }
#endif
)";

class SimNvrtcTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (!nvrtc::nvrtcVersion().ok()) GTEST_SKIP() << "NVRTC is not available";
    }
    void TearDown() override { cubind::sim::uninstall(); }

    static std::vector<int> architectures() {
        std::vector<int> all(static_cast<std::size_t>(nvrtc::nvrtcGetNumSupportedArchs().value));
        EXPECT_TRUE(nvrtc::nvrtcGetSupportedArchs(all.data()).ok());
        return all;
    }
    static nvrtc::nvrtcProgram compile_for(const std::string& target, const char* option) {
        const nvrtc::nvrtcProgram program = nvrtc::nvrtcCreateProgram(source, "kernels.cu", 0, nullptr, nullptr).value;
        const std::string architecture = "-arch=" + target;
        const char* options[] = {architecture.c_str(), option};
        EXPECT_TRUE(nvrtc::nvrtcCompileProgram(program, 2, options).ok()) << target << ' ' << option;
        return program;
    }
    static std::string compile(int architecture, const char* option) {
        const nvrtc::nvrtcProgram program = compile_for("compute_" + std::to_string(architecture), option);
        std::string ptx(nvrtc::nvrtcGetPTXSize(program).value, '\0');
        EXPECT_TRUE(nvrtc::nvrtcGetPTX(program, ptx.data()).ok());
        (void)nvrtc::nvrtcDestroyProgram(program);
        return ptx;
    }
    // Compiles machine code. Stores what ptxas reports about the kernels.
    static std::string compile_cubin(int architecture, std::string& log) {
        const nvrtc::nvrtcProgram program = compile_for("sm_" + std::to_string(architecture), "--ptxas-options=-v");
        std::string cubin(nvrtc::nvrtcGetCUBINSize(program).value, '\0');
        EXPECT_TRUE(nvrtc::nvrtcGetCUBIN(program, cubin.data()).ok());
        log.resize(nvrtc::nvrtcGetProgramLogSize(program).value);
        EXPECT_TRUE(nvrtc::nvrtcGetProgramLog(program, log.data()).ok());
        (void)nvrtc::nvrtcDestroyProgram(program);
        return cubin;
    }
    static CUmodule load_on(int architecture, const std::string& ptx) {
        cubind::sim::install({.major = architecture / 10, .minor = architecture % 10});
        EXPECT_TRUE(cuInit(0).ok());
        EXPECT_TRUE(cuCtxCreate_v2(0, 0).ok());
        char log[1000] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
        auto [status, module] = cuModuleLoadDataEx(ptx.c_str(), 2, options, values);
        EXPECT_EQ(status, CUDA_SUCCESS) << log;
        return module;
    }
};

void expect_layout(CUmodule module, const char* name, const std::vector<std::pair<std::size_t, std::size_t>>& layout) {
    const CUfunction function = cuModuleGetFunction(module, name).value;
    EXPECT_EQ(cuFuncGetParamCount(function).value, layout.size()) << name;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        auto [status, offset, size] = cuFuncGetParamInfo(function, i);
        EXPECT_EQ(status, CUDA_SUCCESS);
        EXPECT_EQ(std::pair(offset, size), layout[i]) << name << ' ' << i;
    }
}

template <class Value>
Value value_of(CUmodule module, const char* name) {
    Value value{};
    auto [status, address, size] = cuModuleGetGlobal(module, name);
    EXPECT_EQ(status, CUDA_SUCCESS) << name;
    EXPECT_EQ(size, sizeof value) << name;
    EXPECT_EQ(cuMemcpyDtoH(&value, address, sizeof value).status, CUDA_SUCCESS);
    return value;
}

void expect_contents(CUmodule module, int architecture) {
    EXPECT_EQ(cuModuleGetFunctionCount(module).value, architecture >= 90 ? 5u : 4u);
    expect_layout(module, "_Z3addIdEvPT_PKS0_S0_x", {{0, 8}, {8, 8}, {16, 8}, {24, 8}});
    expect_layout(module, "bounded", {{0, 24}, {24, 1}, {32, 8}});
    expect_layout(module, "constant", {{0, 24}, {24, 8}});
    expect_layout(module, "empty", {});
    const auto attribute = [&](const char* name, CUfunction_attribute id) {
        return cuFuncGetAttribute(id, cuModuleGetFunction(module, name).value).value;
    };
    EXPECT_EQ(attribute("_Z3addIdEvPT_PKS0_S0_x", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 1024);
    EXPECT_EQ(attribute("bounded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 256);
    EXPECT_EQ(attribute("bounded", CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES), 88);
    if (architecture >= 90) {
        expect_layout(module, "clustered", {{0, 16}, {16, 8}});
        EXPECT_EQ(attribute("clustered", CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), 2);
    }
    EXPECT_EQ(value_of<int>(module, "counter"), 7);
    EXPECT_EQ(value_of<int>(module, "managed"), 3);
    EXPECT_EQ((value_of<std::array<float, 16>>(module, "coefficients")[1]), 2.0f);
    EXPECT_EQ((value_of<std::array<unsigned char, 5>>(module, "bytes")), (std::array<unsigned char, 5>{1, 2, 3, 0, 0}));
    EXPECT_EQ(value_of<CUdeviceptr>(module, "pointer"), cuModuleGetGlobal(module, "counter").value1);
    EXPECT_STREQ(reinterpret_cast<const char*>(value_of<CUdeviceptr>(module, "text")), "hello\"\\\n");
}

TEST_F(SimNvrtcTest, LoadsPtxOfEveryArchitecture) {
    for (const int architecture : architectures()) {
        SCOPED_TRACE(architecture);
        expect_contents(load_on(architecture, compile(architecture, "-std=c++17")), architecture);
    }
}

// Compares the attributes of the kernels with what ptxas reports, such as "Used 12 registers, 1024 bytes smem".
void expect_attributes(CUmodule module, const std::string& log) {
    const std::string begin = "Compiling entry function '";
    std::size_t kernels = 0;
    for (std::size_t at = log.find(begin); at != std::string::npos; at = log.find(begin, at)) {
        at += begin.size();
        const std::string name = log.substr(at, log.find('\'', at) - at);
        const std::string part = log.substr(at, log.find(begin, at) - at);
        const auto number_before = [&](const std::string& unit) {
            const std::size_t end = part.find(unit);
            if (end == std::string::npos) return 0;
            return std::stoi(part.substr(part.find_last_not_of("0123456789", end - 1) + 1));
        };
        const CUfunction function = cuModuleGetFunction(module, name.c_str()).value;
        const auto attribute = [&](CUfunction_attribute id) { return cuFuncGetAttribute(id, function).value; };
        EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_NUM_REGS), number_before(" registers")) << part;
        EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), number_before(" bytes smem")) << part;
        EXPECT_EQ(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), number_before(" bytes stack frame")) << part;
        ++kernels;
    }
    EXPECT_EQ(kernels, cuModuleGetFunctionCount(module).value) << log;
}

TEST_F(SimNvrtcTest, LoadsMachineCodeOfEveryArchitecture) {
    for (const int architecture : architectures()) {
        SCOPED_TRACE(architecture);
        std::string log;
        const CUmodule module = load_on(architecture, compile_cubin(architecture, log));
        expect_contents(module, architecture);
        expect_attributes(module, log);
        const CUfunction empty = cuModuleGetFunction(module, "empty").value;
        EXPECT_EQ(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION, empty).value, architecture);
        EXPECT_EQ(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_PTX_VERSION, empty).value, architecture);
        EXPECT_EQ(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr).status, CUDA_ERROR_NOT_SUPPORTED);
    }
}

TEST_F(SimNvrtcTest, LoadsDebugInformationAndRelocatableCode) {
    const int architecture = architectures().back();
    for (const char* option : {"-G", "-lineinfo", "-rdc=true"}) {
        SCOPED_TRACE(option);
        const CUmodule module = load_on(architecture, compile(architecture, option));
        expect_layout(module, "bounded", {{0, 24}, {24, 1}, {32, 8}});
        EXPECT_EQ(value_of<int>(module, "counter"), 7);
    }
}

TEST_F(SimNvrtcTest, RejectsCodeThatIsNewerThanTheDevice) {
    const int architecture = architectures().back();
    const std::string ptx = compile(architecture, "-std=c++17");
    cubind::sim::install({.major = 5, .minor = 0});
    ASSERT_TRUE(cuInit(0).ok());
    ASSERT_TRUE(cuCtxCreate_v2(0, 0).ok());
    EXPECT_EQ(cuModuleLoadData(ptx.c_str()).status, CUDA_ERROR_INVALID_PTX);
}

TEST_F(SimNvrtcTest, PassesTheArgumentsOfATemplate) {
    const CUmodule module = load_on(90, compile(90, "-std=c++17"));
    double sum = 0;
    sim::define_kernel("_Z3addIdEvPT_PKS0_S0_x",
                       [&](const sim::Launch& launch, double* a, const double* b, double factor, long long n) {
                           sum = launch.memory(a, 1)[0] + launch.memory(b, 1)[0] * factor + static_cast<double>(n);
                       });
    CUdeviceptr a = cuModuleGetGlobal(module, "settings").value1;
    CUdeviceptr b = a;
    double factor = 2.0;
    long long n = 40;
    void* parameters[] = {&a, &b, &factor, &n};
    const CUfunction add = cuModuleGetFunction(module, "_Z3addIdEvPT_PKS0_S0_x").value;
    EXPECT_EQ(cuLaunchKernel(add, 1, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(sum, 40.0);
}

}  // namespace
}  // namespace cubind::testing
