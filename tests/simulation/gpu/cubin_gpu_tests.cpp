// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares what the simulation reads of machine code with what the driver of a GPU reports about it.
#include <cubind/driver.hpp>
#include <cubind/nvrtc.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "objects/module/cubin/cubin.hpp"

namespace cubind::testing {
namespace {

using namespace cubind::driver;
namespace nvrtc = cubind::nvrtc;

constexpr const char* source = R"(
struct Settings { int a; double b; char c; };
__constant__ float coefficients[16] = {1.0f, 2.0f};
__constant__ Settings settings;
__device__ int counter = 7;
__device__ int* pointer = &counter;
__device__ double table[100];
__managed__ int managed = 3;
extern "C" __global__ void empty() {}
extern "C" __global__ void shared(float* values, char c, Settings s, short t) {
    __shared__ float tile[256];
    tile[threadIdx.x] = values[threadIdx.x] + c + s.b + t + coefficients[s.a] + settings.a + table[s.a] + *pointer + managed;
    __syncthreads();
    values[threadIdx.x] = tile[255 - threadIdx.x];
}
extern "C" __global__ void __launch_bounds__(128, 4) bounded(int* values) { values[threadIdx.x] += counter; }
__device__ __noinline__ int sum(const int* values, int n) {
    int copies[16];
    for (int i = 0; i < 16; ++i) copies[i] = values[i * n];
    int result = 0;
    for (int i = 0; i < 16; ++i) result += copies[copies[i] & 15];
    return result;
}
extern "C" __global__ void local(int* values) {
    int copies[64];
    for (int i = 0; i < 64; ++i) copies[i] = values[i];
    values[0] = copies[values[1] & 63] + sum(copies, values[2]);
}
extern "C" __global__ void registers(const float* in, float* out) {
    float values[120];
#pragma unroll
    for (int i = 0; i < 120; ++i) values[i] = in[i * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 120; ++i) out[(119 - i) * blockDim.x + threadIdx.x] = values[i] * values[(i * 7) % 120];
}
)";

class CubinGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (!nvrtc::nvrtcVersion().ok()) GTEST_SKIP() << "NVRTC is not available";
        ASSERT_TRUE(cuInit(0).ok());
        ASSERT_TRUE(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).ok());
        code = compile("-std=c++17");
        reading = sim::read_cubin(code);
        ASSERT_EQ(reading.problem, "");
        const auto loaded = cuModuleLoadData(code.data());
        ASSERT_EQ(loaded.status, CUDA_SUCCESS);
        module = loaded.value;
    }
    void TearDown() override {
        if (module != nullptr) {
            EXPECT_TRUE(cuModuleUnload(module).ok());
        }
    }

    // Compiles machine code for device 0.
    static std::string compile(const char* option) {
        const int major = cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0).value;
        const int minor = cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0).value;
        const std::string target = "-arch=sm_" + std::to_string(10 * major + minor);
        const char* options[] = {target.c_str(), option};
        nvrtc::nvrtcProgram program = nvrtc::nvrtcCreateProgram(source, "kernels.cu", 0, nullptr, nullptr).value;
        EXPECT_TRUE(nvrtc::nvrtcCompileProgram(program, 2, options).ok());
        std::string compiled(nvrtc::nvrtcGetCUBINSize(program).value, '\0');
        EXPECT_TRUE(nvrtc::nvrtcGetCUBIN(program, compiled.data()).ok());
        (void)nvrtc::nvrtcDestroyProgram(program);
        return compiled;
    }

    std::string code;
    sim::CubinReading reading;
    CUmodule module = nullptr;
};

// A block has at most as many threads as the registers of a multiprocessor suffice for.
int max_threads(const sim::ptx::Kernel& kernel) {
    const int per_warp = static_cast<int>((kernel.registers * 32 + 255) / 256 * 256);
    const int all = cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 0).value;
    const int threads = std::min(1024, all / 4 / per_warp * 4 * 32);
    return kernel.max_threads() != 0 ? std::min(threads, static_cast<int>(kernel.max_threads())) : threads;
}

TEST_F(CubinGpuTest, AttributesAreThoseOfTheDriver) {
    ASSERT_EQ(reading.image.kernels.size(), 5u);
    for (const sim::ptx::Kernel& kernel : reading.image.kernels) {
        SCOPED_TRACE(kernel.name);
        const CUfunction function = cuModuleGetFunction(module, kernel.name.c_str()).value;
        const auto get = [&](CUfunction_attribute attribute) { return cuFuncGetAttribute(attribute, function).value; };
        EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_NUM_REGS), static_cast<int>(kernel.registers));
        EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), static_cast<int>(kernel.shared_bytes));
        EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), static_cast<int>(kernel.local_bytes));
        EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES), 64 + 24);
        EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_BINARY_VERSION), reading.image.machine_target);
        EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PTX_VERSION), reading.image.target);
        EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), max_threads(kernel));
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
            const auto [status, offset, size] = cuFuncGetParamInfo(function, i);
            EXPECT_EQ(status, CUDA_SUCCESS);
            EXPECT_EQ(offset, kernel.parameters[i].offset);
            EXPECT_EQ(size, kernel.parameters[i].size);
        }
        EXPECT_EQ(cuFuncGetParamInfo(function, kernel.parameters.size()).status, CUDA_ERROR_INVALID_VALUE);
    }
}

TEST_F(CubinGpuTest, VariablesAreThoseOfTheDriver) {
    std::vector<std::string> names;
    for (const sim::ptx::Variable& variable : reading.image.variables) {
        const auto [status, address, size] = cuModuleGetGlobal(module, variable.name.c_str());
        EXPECT_EQ(status, CUDA_SUCCESS) << variable.name;
        EXPECT_EQ(size, variable.size) << variable.name;
        names.push_back(variable.name);
    }
    for (const char* const name : {"coefficients", "settings", "counter", "pointer", "table", "managed"}) {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    }
}

// The simulation returns this status for relocatable code.
TEST_F(CubinGpuTest, RelocatableCodeIsRefused) {
    const std::string relocatable = compile("-rdc=true");
    EXPECT_NE(sim::read_cubin(relocatable).problem, "");
    EXPECT_EQ(cuModuleLoadData(relocatable.data()).status, CUDA_ERROR_INVALID_IMAGE);
}

}  // namespace
}  // namespace cubind::testing
