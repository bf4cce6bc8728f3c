// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that the driver provides to device code: output, memory, assertions, and launches.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* runtime_source = R"(
// NVRTC has no header of assert().
extern "C" __device__ void __assertfail(const char* assertion, const char* file, unsigned line, const char* function, size_t bytes);
#define assert(condition) ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __func__, 1))
struct Node { int value; Node* next; };
extern "C" {
__global__ void print(int n) {
    if (threadIdx.x < n) printf("block %d thread %2d: %s %5.2f %lld %c%% %#x %-4d| %e\n", blockIdx.x, threadIdx.x, "text", threadIdx.x * 1.5, 1ll << 40, 'c', 255u, 7, 1e10);
}
__global__ void print_results(int* out) { out[0] = printf("no arguments\n"); out[1] = printf("%s %p\n", "two", (void*)16); out[2] = printf("%03d %+.1f %5s\n", 7, 2.0, "ab"); }
__global__ void check(const int* x) { assert(x[threadIdx.x] > 0 && "positive"); }
__global__ void stop(int n) { if (threadIdx.x == n) __trap(); }
__global__ void lists(int* sums, int length) {
    Node* first = nullptr;
    for (int i = 1; i <= length; ++i) {
        Node* const node = (Node*)malloc(sizeof(Node));
        node->value = i * threadIdx.x;
        node->next = first;
        first = node;
    }
    int sum = 0;
    while (first != nullptr) {
        sum += first->value;
        Node* const next = first->next;
        free(first);
        first = next;
    }
    sums[threadIdx.x] = sum;
}
__global__ void allocate(int** out, int count) {
    int* const p = new int[count];
    for (int i = 0; i < count; ++i) p[i] = threadIdx.x * 1000 + i;
    out[threadIdx.x] = p;
}
__global__ void release(int** in, int* out, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += in[threadIdx.x][i];
    out[threadIdx.x] = sum;
    delete[] in[threadIdx.x];
}
__global__ void exhaust(int* failed) { if (malloc(1ull << 40) == nullptr) atomicAdd(failed, 1); }
}
)";

class RuntimeKernelsTest : public KernelsTest {};

TEST_P(RuntimeKernelsTest, Prints) {
    load(runtime_source);
    ::testing::internal::CaptureStdout();
    const CUresult status = launch("print", {2}, {40}, 0, 35);
    std::istringstream text(::testing::internal::GetCapturedStdout());
    ASSERT_EQ(status, CUDA_SUCCESS) << problem();
    std::multiset<std::string> lines, expected;
    for (std::string line; std::getline(text, line);) lines.insert(line);
    for (int block = 0; block < 2; ++block) {
        for (int thread = 0; thread < 35; ++thread) {
            const int hundredths = thread * 150;
            const std::string whole = std::to_string(hundredths / 100), part = hundredths % 100 == 0 ? ".00" : ".50";
            expected.insert("block " + std::to_string(block) + " thread " + (thread < 10 ? " " : "") + std::to_string(thread) +
                            ": text " + std::string(2 - whole.size(), ' ') + whole + part +
                            " 1099511627776 c% 0xff 7   | 1.000000e+10");
        }
    }
    EXPECT_EQ(lines, expected);
}

TEST_P(RuntimeKernelsTest, ReturnsTheNumberOfPrintedArguments) {
    load(runtime_source);
    const CUdeviceptr out = zeros<int>(3);
    ::testing::internal::CaptureStdout();
    const CUresult status = launch("print_results", {1}, {1}, 0, out);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "no arguments\ntwo 0x10\n007 +2.0    ab\n");
    ASSERT_EQ(status, CUDA_SUCCESS) << problem();
    EXPECT_EQ(download<int>(out, 3), (std::vector<int>{0, 2, 3}));
}

TEST_P(RuntimeKernelsTest, FailsAfterAnAssertion) {
    load(runtime_source);
    std::vector<int> x(64, 1);
    EXPECT_EQ(launch("check", {1}, {64}, 0, upload(x)), CUDA_SUCCESS) << problem();
    x[40] = -1;
    const CUdeviceptr memory = upload(x);
    ::testing::internal::CaptureStderr();
    const CUresult status = launch("check", {1}, {64}, 0, memory);
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(status, CUDA_ERROR_ASSERT);
    EXPECT_THAT(text, HasSubstr("kernels.cu:"));
    EXPECT_THAT(text, HasSubstr("block: [0,0,0], thread: [40,0,0] Assertion `x[threadIdx.x] > 0 && \"positive\"` failed."));
    EXPECT_THAT(problem(), HasSubstr("x[threadIdx.x] > 0"));
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_ASSERT);
}

TEST_P(RuntimeKernelsTest, FailsAfterATrap) {
    load(runtime_source);
    EXPECT_EQ(launch("stop", {3}, {64}, 0, 64), CUDA_SUCCESS);
    EXPECT_EQ(launch("stop", {3}, {64}, 0, 50), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(problem(), HasSubstr("trap, in "));
    EXPECT_THAT(problem(), HasSubstr("of kernel stop, block "));
    EXPECT_THAT(problem(), HasSubstr("thread (50, 0, 0), PTX line "));
    EXPECT_EQ(cuMemAlloc(16).status, CUDA_ERROR_LAUNCH_FAILED);
}

TEST_P(RuntimeKernelsTest, AllocatesAndFreesListNodes) {
    load(runtime_source);
    const CUdeviceptr sums = zeros<int>(48);
    run("lists", {1}, {48}, sums, 20);
    const auto results = download<int>(sums, 48);
    for (int i = 0; i < 48; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], 210 * i);
}

TEST_P(RuntimeKernelsTest, RetainsMemoryBetweenKernels) {
    load(runtime_source);
    RecordedResults::exclude_test();  // the results contain addresses
    const CUdeviceptr pointers = zeros<CUdeviceptr>(40), out = zeros<int>(40);
    run("allocate", {1}, {40}, pointers, 30);
    const auto all = download<CUdeviceptr>(pointers, 40);
    EXPECT_EQ(std::set<CUdeviceptr>(all.begin(), all.end()).size(), 40u);
    run("release", {1}, {40}, pointers, out, 30);
    const auto results = download<int>(out, 40);
    for (int i = 0; i < 40; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], 30 * 1000 * i + 435);
}

TEST_P(RuntimeKernelsTest, ReturnsNullWhenTheHeapIsTooSmall) {
    load(runtime_source);
    const CUdeviceptr failed = zeros<int>(1);
    run("exhaust", {1}, {5}, failed);
    EXPECT_EQ(download<int>(failed, 1)[0], 5);
}

INSTANTIATE_TEST_SUITE_P(Kernels, RuntimeKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
