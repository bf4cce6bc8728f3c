// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that access memory wrongly, or whose threads wait for ever.
#include <gmock/gmock.h>

#include <sstream>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* fault_source = R"(
extern __shared__ int dynamic[];
__device__ int table[4] = {1, 2, 3, 4};
extern "C" {
__global__ void fill(int* out, int value) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void load_wide(const char* in, double* out, int offset) {
    out[threadIdx.x] = *(const double*)(in + 8 * threadIdx.x + (threadIdx.x == 9 ? offset : 0));
}
__global__ void add(int* out) { atomicAdd(out, 1); }
__global__ void in_shared(int* out, int at) {
    dynamic[threadIdx.x * at] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[0];
}
__global__ void barriers(int n) {
    if (threadIdx.x < n) asm volatile("bar.sync 1, 64;"); else asm volatile("bar.sync 2, 64;");
}
__global__ void call(void (**function)()) { (*function)(); }
}
)";

class FaultKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(fault_source, {"-lineinfo"});
    }
    /// Returns the line of the PTX that the problem names.
    std::string named_line() const {
        const std::string text = problem(), before = "PTX line ";
        const std::size_t at = text.find(before);
        if (at == std::string::npos) return "";
        std::istringstream lines(ptx);
        std::string line;
        for (int left = std::stoi(text.substr(at + before.size())); left > 0; --left) std::getline(lines, line);
        return line;
    }
};

TEST_P(FaultKernelsTest, ReportsAStoreBehindAnAllocation) {
    const CUdeviceptr out = zeros<int>(100);
    EXPECT_EQ(launch("fill", {3}, {33}, 0, out, 1), CUDA_SUCCESS) << problem();
    EXPECT_EQ(launch("fill", {1}, {128}, 0, out, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("store of 4 bytes"));
    EXPECT_THAT(problem(), HasSubstr("of kernel fill, block (0, 0, 0), thread (100, 0, 0), PTX line "));
    EXPECT_THAT(problem(), HasSubstr("the nearest allocation has 400 bytes"));
    EXPECT_THAT(problem(), HasSubstr("ends 0 bytes before the address"));
    EXPECT_THAT(problem(), HasSubstr("kernels.cu:6"));
    EXPECT_THAT(named_line(), HasSubstr("\tst."));
    EXPECT_EQ(sim::launches().back().status, CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_P(FaultKernelsTest, ReportsALoadInFrontOfAnAllocation) {
    const CUdeviceptr in = zeros<double>(10), out = zeros<double>(10);
    EXPECT_EQ(launch("load_wide", {1}, {10}, 0, in, out, -8 * 11), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("load of 8 bytes"));
    EXPECT_THAT(problem(), HasSubstr("thread (9, 0, 0)"));
    EXPECT_THAT(named_line(), HasSubstr("\tld."));
}

TEST_P(FaultKernelsTest, ReportsALoadAcrossTheEndOfAnAllocation) {
    const CUdeviceptr in = zeros<char>(76), out = zeros<double>(10);
    EXPECT_EQ(launch("load_wide", {1}, {10}, 0, in, out, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("begins 4 bytes before the end of the allocation of 76 bytes"));
}

TEST_P(FaultKernelsTest, ReportsAMisalignedLoad) {
    const CUdeviceptr in = zeros<double>(10), out = zeros<double>(10);
    EXPECT_EQ(launch("load_wide", {1}, {10}, 0, in, out, 0), CUDA_SUCCESS) << problem();
    EXPECT_EQ(launch("load_wide", {1}, {10}, 0, in, out, -4), CUDA_ERROR_MISALIGNED_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("is misaligned"));
    EXPECT_THAT(problem(), HasSubstr("of kernel load_wide, block (0, 0, 0), thread (9, 0, 0)"));
    EXPECT_THAT(problem(), HasSubstr("kernels.cu:9"));
    EXPECT_THAT(named_line(), HasSubstr("\tld."));
}

TEST_P(FaultKernelsTest, ReportsNullPointers) {
    EXPECT_EQ(launch("add", {1}, {1}, 0, CUdeviceptr{0}), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("address 0x0"));
    EXPECT_THAT(named_line(), HasSubstr("atom"));
}

TEST_P(FaultKernelsTest, ReportsFreedMemory) {
    const CUdeviceptr out = zeros<int>(64);
    EXPECT_EQ(launch("fill", {1}, {64}, 0, out, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(out).status, CUDA_SUCCESS);
    EXPECT_EQ(launch("fill", {1}, {64}, 0, out, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("is not within an allocation; the nearest allocation has "));
}

TEST_P(FaultKernelsTest, ReportsStoresBehindSharedMemory) {
    const CUdeviceptr out = zeros<int>(64);
    EXPECT_EQ(launch("in_shared", {1}, {64}, 256, out, 1), CUDA_SUCCESS) << problem();
    EXPECT_EQ(launch("in_shared", {1}, {64}, 256, out, 1000), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem(), HasSubstr("shared memory"));
    EXPECT_THAT(named_line(), HasSubstr("\tst."));
}

TEST_P(FaultKernelsTest, ReportsBarriersThatNeverComplete) {
    EXPECT_EQ(launch("barriers", {1}, {128}, 0, 64), CUDA_SUCCESS) << problem();
    EXPECT_NE(launch("barriers", {1}, {128}, 0, 32), CUDA_SUCCESS);
    EXPECT_THAT(problem(), HasSubstr("deadlock"));
    EXPECT_THAT(problem(), HasSubstr("barrier 1"));
    EXPECT_THAT(named_line(), HasSubstr("bar.sync"));
}

TEST_P(FaultKernelsTest, ReportsCallsOfNoFunction) {
    const CUdeviceptr pointer = upload(std::vector<CUdeviceptr>{0x1234560});
    EXPECT_EQ(launch("call", {1}, {1}, 0, pointer), CUDA_ERROR_ILLEGAL_INSTRUCTION);
    EXPECT_THAT(problem(), HasSubstr("does not refer to a device function"));
}

INSTANTIATE_TEST_SUITE_P(Kernels, FaultKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
