// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "registered_code.hpp"

namespace cubind::testing {
namespace {

/// Registers the code and sets its constant to 2.
class CudartKernelTest : public ::testing::Test {
protected:
    void SetUp() override {
        const float two = 2;
        ASSERT_EQ(cudaMemcpyToSymbol(code.factor, &two, sizeof two, 0, cudaMemcpyHostToDevice).status, cudaSuccess);
    }
    cudaError_t launch(const void* function, unsigned threads = 4, cudaStream_t stream = nullptr) {
        return cudaLaunchKernel(function, {1, 1, 1}, {threads, 1, 1}, arguments, 0, stream).status;
    }

    RegisteredCode code;
    void* memory = write(std::vector<float>{1, 2, 3, 4});
    unsigned count = 4;
    void* arguments[2] = {&memory, &count};
};

TEST_F(CudartKernelTest, LaunchesAHostFunction) {
    EXPECT_EQ(launch(code.scale), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
    EXPECT_EQ(read<float>(memory, 4), (std::vector<float>{2, 4, 6, 8}));
    EXPECT_EQ(launch(code.missing), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaGetLastError().status, cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(launch(&count), cudaErrorInvalidResourceHandle) << "not registered";
    EXPECT_EQ(launch(code.scale, 2048), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(code.scale, 0), cudaErrorInvalidConfiguration);
}

TEST_F(CudartKernelTest, LaunchesAsCodeOfNvccDoes) {
    const auto push = runtime_symbol<unsigned(dim3, dim3, std::size_t, cudaStream_t)>("__cudaPushCallConfiguration");
    const auto pop = runtime_symbol<cudaError_t(dim3*, dim3*, std::size_t*, void*)>("__cudaPopCallConfiguration");
    const auto get = runtime_symbol<cudaError_t(cudaKernel_t*, const void*)>("__cudaGetKernel");
    const auto start =
        runtime_symbol<cudaError_t(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t)>("__cudaLaunchKernel");
    EXPECT_EQ(push({1, 1, 1}, {4, 1, 1}, 16, cudaStreamPerThread), 0u);
    dim3 grid, block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
    EXPECT_EQ(pop(&grid, &block, &shared, &stream), cudaSuccess);
    EXPECT_EQ(block.x, 4u);
    EXPECT_EQ(shared, 16u);
    EXPECT_EQ(stream, cudaStreamPerThread);
    cudaKernel_t kernel = nullptr;
    EXPECT_EQ(get(&kernel, code.scale), cudaSuccess);
    EXPECT_EQ(start(kernel, grid, block, arguments, shared, stream), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
    EXPECT_EQ(read<float>(memory, 1), std::vector<float>{2});
    EXPECT_EQ(pop(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
}

TEST_F(CudartKernelTest, LaunchesHandles) {
    const auto [status, kernel] = cudaGetKernel(code.scale);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(launch(kernel), cudaSuccess);
    const auto [found, function] = cudaGetFuncBySymbol(code.scale);
    EXPECT_EQ(found, cudaSuccess);
    EXPECT_EQ(launch(function), cudaSuccess);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    const cudaLaunchConfig_t configuration = {{1, 1, 1}, {4, 1, 1}, 0, nullptr, &attribute, 1};
    EXPECT_EQ(cudaLaunchKernelExC(&configuration, code.scale, arguments).status, cudaSuccess);
    EXPECT_EQ(cudaLaunchCooperativeKernel(code.scale, {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
    EXPECT_EQ(read<float>(memory, 2), (std::vector<float>{16, 32}));
}

TEST_F(CudartKernelTest, ReadsAndWritesVariables) {
    EXPECT_EQ(cudaGetSymbolSize(code.launches).value, sizeof(int));
    int launches = 0;
    EXPECT_EQ(cudaMemcpyFromSymbol(&launches, code.launches, sizeof launches, 0, cudaMemcpyDeviceToHost).status, cudaSuccess);
    EXPECT_EQ(launches, 3) << "the initial value";
    EXPECT_EQ(launch(code.scale), cudaSuccess);
    EXPECT_EQ(read<int>(cudaGetSymbolAddress(code.launches).value, 1), std::vector<int>{4});
    EXPECT_EQ(cudaMemcpyToSymbol(code.launches, &launches, 4, 1, cudaMemcpyHostToDevice).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyToSymbol(code.launches, &launches, 4, 0, cudaMemcpyDeviceToHost).status, cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaGetSymbolAddress(&launches).status, cudaErrorInvalidSymbol);
    float factor = 0;
    EXPECT_EQ(cudaMemcpyFromSymbol(&factor, code.factor, 4, 0, cudaMemcpyDeviceToHost).status, cudaSuccess);
    EXPECT_EQ(factor, 2);
}

TEST_F(CudartKernelTest, SharesManagedVariables) {
    ASSERT_TRUE(code.initialize());
    ASSERT_NE(*code.shared_launches, nullptr);
    EXPECT_EQ(**code.shared_launches, 5);
    EXPECT_EQ(launch(code.scale), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
    EXPECT_EQ(**code.shared_launches, 6);
    EXPECT_EQ(cudaGetSymbolAddress(code.shared_launches).value, *code.shared_launches);
}

TEST_F(CudartKernelTest, ReturnsAttributes) {
    const auto [status, attributes] = cudaFuncGetAttributes(code.scale);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
    EXPECT_EQ(attributes.ptxVersion, 75);
    EXPECT_EQ(cudaFuncSetAttribute(code.scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536).status, cudaSuccess);
    EXPECT_EQ(cudaFuncGetAttributes(code.scale).value.maxDynamicSharedSizeBytes, 65536);
    EXPECT_EQ(cudaFuncGetAttributes(&count).status, cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaGetFuncBySymbol(&count).status, cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(std::string(cudaFuncGetName(code.scale).value), "scale");
    const auto [info, offset, size] = cudaFuncGetParamInfo(code.scale, 1);
    EXPECT_EQ(info, cudaSuccess);
    EXPECT_EQ(offset, 8u);
    EXPECT_EQ(size, 4u);
    EXPECT_GT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(code.scale, 256, 0).value, 0);
}

TEST_F(CudartKernelTest, SurvivesAReset) {
    EXPECT_EQ(launch(code.scale), cudaSuccess);
    EXPECT_EQ(cudaDeviceReset().status, cudaSuccess);
    memory = write(std::vector<float>{1});
    count = 1;
    float factor = 3;
    EXPECT_EQ(cudaMemcpyToSymbol(code.factor, &factor, sizeof factor, 0, cudaMemcpyHostToDevice).status, cudaSuccess);
    EXPECT_EQ(launch(code.scale), cudaSuccess);
    EXPECT_EQ(read<float>(memory, 1), std::vector<float>{3});
    int launches = 0;
    EXPECT_EQ(cudaMemcpyFromSymbol(&launches, code.launches, sizeof launches, 0, cudaMemcpyDeviceToHost).status, cudaSuccess);
    EXPECT_EQ(launches, 4) << "variables have their initial values again";
}

TEST_F(CudartKernelTest, RunsOnEachDevice) {
    if (cudaGetDeviceCount().value < 2) GTEST_SKIP() << "needs two devices";
    EXPECT_EQ(launch(code.scale), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(1).status, cudaSuccess);
    memory = write(std::vector<float>{1, 1, 1, 1});
    float factor = 5;
    EXPECT_EQ(cudaMemcpyToSymbol(code.factor, &factor, sizeof factor, 0, cudaMemcpyHostToDevice).status, cudaSuccess);
    EXPECT_EQ(launch(code.scale), cudaSuccess);
    EXPECT_EQ(read<float>(memory, 1), std::vector<float>{5});
}

TEST(CudartLibraryTest, LoadsCode) {
    const std::string ptx = RegisteredCode::ptx();
    const auto [status, loaded] = cudaLibraryLoadData(ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaLibraryGetKernelCount(loaded).value, 1u);
    const cudaKernel_t kernel = cudaLibraryGetKernel(loaded, "scale").value;
    EXPECT_EQ(cudaLibraryGetKernel(loaded, "missing").status, cudaErrorSymbolNotFound);
    const auto [global_status, address, size] = cudaLibraryGetGlobal(loaded, "factor");
    ASSERT_EQ(global_status, cudaSuccess);
    EXPECT_EQ(size, sizeof(float));
    const float factor = 7;
    EXPECT_EQ(cudaMemcpy(address, &factor, sizeof factor, cudaMemcpyHostToDevice).status, cudaSuccess);
    void* memory = write(std::vector<float>{1});
    unsigned count = 1;
    void* arguments[] = {&memory, &count};
    EXPECT_EQ(cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr).status, cudaSuccess);
    EXPECT_EQ(read<float>(memory, 1), std::vector<float>{7});
    EXPECT_EQ(cudaLibraryUnload(loaded).status, cudaSuccess);
}

TEST(CudartFatBinaryTest, ReportsThatNoCodeFitsTheDevice) {
    const RegisteredCode code(999);
    void* memory = nullptr;
    unsigned count = 0;
    void* arguments[] = {&memory, &count};
    EXPECT_EQ(cudaLaunchKernel(code.scale, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr).status, cudaErrorNoKernelImageForDevice);
}

TEST(CudartFaultTest, ReturnsTheFaultOfAKernelFromEachCall) {
    if (!is_simulated()) GTEST_SKIP() << "the fault remains until the process ends";
    const RegisteredCode code;
    void* memory = reinterpret_cast<void*>(64);
    unsigned count = 1;
    void* arguments[] = {&memory, &count};
    EXPECT_EQ(cudaLaunchKernel(code.scale, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize().status, cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError().status, cudaErrorIllegalAddress);
    EXPECT_EQ(cudaMalloc(64).status, cudaErrorIllegalAddress);
}

}  // namespace
}  // namespace cubind::testing
