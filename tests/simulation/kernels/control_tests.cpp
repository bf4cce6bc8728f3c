// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls, branches, shapes of grids, and variables of modules.
#include <algorithm>
#include <array>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* control_source = R"(
struct Shape { float size; __device__ explicit Shape(float s) : size(s) {} __device__ virtual ~Shape() {} __device__ virtual float area() const = 0; };
struct Square : Shape { using Shape::Shape; __device__ float area() const override { return size * size; } };
struct Triangle : Square { using Square::Square; __device__ float area() const override { return Square::area() / 2; } };
__device__ int destroyed = 0;
struct Counted : Triangle { using Triangle::Triangle; __device__ ~Counted() override { atomicAdd(&destroyed, 1); } };

__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__device__ int increment(int a) { return a + 1; }
__device__ int twice(int a) { return a * 2; }
__device__ int negate(int a) { return -a; }
__device__ int (*const operations[])(int) = {increment, twice, negate};

struct Large { int values[20]; double factor; };
__device__ __noinline__ Large change(Large in, int by) { for (int& each : in.values) each += by; in.factor *= 2; return in; }

__constant__ double coefficients[4] = {1.5, -2.0, 0.25, 3.0};
__constant__ struct { char c; short s; int i; long long l; float f; } mixed = {'c', -7, 1 << 20, -1ll << 40, 2.5f};
__device__ int counter = 40;
__device__ unsigned char text[] = "abcdefgh";
__device__ int* pointers[2] = {&counter, nullptr};
__managed__ int managed = 9;
extern __shared__ unsigned char dynamic[];

extern "C" {
__global__ void areas(float* out) {
    const int i = threadIdx.x;
    Shape* shape;
    if (i % 3 == 0) shape = new Square(i); else if (i % 3 == 1) shape = new Triangle(i); else shape = new Counted(i);
    out[i] = shape->area();
    delete shape;
}
__global__ void recursion(unsigned* out) {
    const unsigned i = threadIdx.x;
    out[i] = fibonacci(i % 13) + 1000 * ackermann(2, i % 5) + 100000 * is_even(i);
}
__global__ void pointed(int* out, int selected) {
    int v = threadIdx.x;
    for (int k = 0; k < 4; ++k) v = operations[(threadIdx.x + k * selected) % 3](v);
    out[threadIdx.x] = v;
}
__global__ void choose(int* out, int n) {
    const int i = threadIdx.x;
    int r;
    switch ((i * 7) % 13) {
        case 0: r = n; break;
        case 1: r = n * 2; break;
        case 2: r = n ^ 5; // fall through
        case 3: r = n - 9; break;
        case 4: r = n / 3; break;
        case 5: r = ~n; break;
        case 6: r = n << 2; break;
        case 7: r = n * n; break;
        case 8: r = n % 7; break;
        case 9: return;
        default: r = -1;
    }
    out[i] = r;
}
__global__ void by_value(Large in, Large* out) { out[threadIdx.x] = change(in, threadIdx.x); }
__global__ void local_table(int* out) {
    int table[32];
    for (int k = 0; k < 32; ++k) table[k] = k * k + threadIdx.x;
    int at = threadIdx.x % 32, sum = 0;
    for (int k = 0; k < 10; ++k) { sum += table[at]; table[at] = k; at = (at * 5 + 3) % 32; }
    out[threadIdx.x] = sum;
}
__global__ void positions(unsigned* out) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
    out[i] = threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 16 | blockIdx.z << 20;
}
__global__ void early_exit(int* out, int n) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x >= n) return;
    atomicAdd(&sum, threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = sum;
}
__global__ void barrier_votes(const int* x, int* out) {
    const int v = x[threadIdx.x];
    const int count = __syncthreads_count(v > 0), all = __syncthreads_and(v > 0), any = __syncthreads_or(v > 90);
    if (threadIdx.x == 77) out[0] = count, out[1] = all, out[2] = any;
}
__global__ void variables(double* out, const int* index) {
    out[0] = coefficients[index[0]] + coefficients[3];
    out[1] = mixed.c + mixed.s + mixed.i + (double)mixed.l + mixed.f;
    out[2] = atomicAdd(pointers[0], 2) + (pointers[1] == nullptr);
    out[3] = text[index[1]];
    text[0] = 'z';
    out[4] = managed++;
}
__global__ void in_dynamic(unsigned* out, int words) {
    unsigned* const first = (unsigned*)dynamic;
    unsigned short* const second = (unsigned short*)(first + words);
    for (int i = threadIdx.x; i < words; i += blockDim.x) { first[i] = i * i; second[i] = i * 3; }
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = first[words - 1 - i] + second[i];
}
}
)";

class ControlKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(control_source);
    }
    template <class Value>
    Value variable(const char* name) const {
        Value value{};
        const auto [status, address, size] = cuModuleGetGlobal(module, name);
        EXPECT_EQ(status, CUDA_SUCCESS) << name;
        EXPECT_EQ(cuMemcpyDtoH(&value, address, sizeof value).status, CUDA_SUCCESS);
        return value;
    }
};

TEST_P(ControlKernelsTest, CallsVirtualFunctions) {
    const CUdeviceptr out = zeros<float>(100);
    run("areas", {1}, {100}, out);
    const auto results = download<float>(out, 100);
    for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(results[i], static_cast<float>(i * i) / (i % 3 == 0 ? 1.0f : 2.0f)) << i;
    EXPECT_EQ(variable<int>("destroyed"), 33);
}

TEST_P(ControlKernelsTest, CallsFunctionsRecursively) {
    const CUdeviceptr out = zeros<unsigned>(64);
    run("recursion", {1}, {64}, out);
    const auto results = download<unsigned>(out, 64);
    constexpr unsigned fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
    for (unsigned i = 0; i < 64; ++i)
        EXPECT_EQ(results[i], fibonacci[i % 13] + 1000 * (2 * (i % 5) + 3) + (i % 2 == 0 ? 100000 : 0)) << i;
}

TEST_P(ControlKernelsTest, CallsFunctionsByTheirAddress) {
    const CUdeviceptr out = zeros<int>(64);
    for (const int selected : {1, 2, 3}) {
        run("pointed", {1}, {64}, out, selected);
        const auto results = download<int>(out, 64);
        for (int i = 0; i < 64; ++i) {
            int expected = i;
            for (int k = 0; k < 4; ++k) {
                const int which = (i + k * selected) % 3;
                expected = which == 0 ? expected + 1 : which == 1 ? 2 * expected : -expected;
            }
            EXPECT_EQ(results[static_cast<std::size_t>(i)], expected) << i;
        }
    }
}

TEST_P(ControlKernelsTest, BranchesByATable) {
    const CUdeviceptr out = upload(std::vector<int>(64, 12345));
    run("choose", {1}, {64}, out, -50);
    const auto results = download<int>(out, 64);
    constexpr int expected[] = {-50, -100, -59, -59, -16, 49, -200, 2500, -1, 12345, -1, -1, -1};
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(results[i], expected[i * 7 % 13]) << i;
}

TEST_P(ControlKernelsTest, PassesStructuresByValue) {
    struct Large {
        int values[20];
        double factor;
    };
    Large in{};
    for (int i = 0; i < 20; ++i) in.values[i] = i * 10;
    in.factor = 0.75;
    const CUdeviceptr out = zeros<Large>(40);
    run("by_value", {1}, {40}, in, out);
    const auto results = download<Large>(out, 40);
    for (int thread = 0; thread < 40; ++thread) {
        for (int i = 0; i < 20; ++i) EXPECT_EQ(results[static_cast<std::size_t>(thread)].values[i], i * 10 + thread);
        EXPECT_EQ(results[static_cast<std::size_t>(thread)].factor, 1.5);
    }
}

TEST_P(ControlKernelsTest, IndexesLocalArrays) {
    const CUdeviceptr out = zeros<int>(50);
    run("local_table", {1}, {50}, out);
    const auto results = download<int>(out, 50);
    for (unsigned thread = 0; thread < 50; ++thread) {
        std::map<unsigned, unsigned> changed;
        unsigned at = thread % 32, sum = 0;
        for (unsigned k = 0; k < 10; at = (at * 5 + 3) % 32) {
            sum += changed.contains(at) ? changed[at] : at * at + thread;
            changed[at] = k++;
        }
        EXPECT_EQ(static_cast<unsigned>(results[thread]), sum) << thread;
    }
}

TEST_P(ControlKernelsTest, RunsGridsOfThreeDimensions) {
    const CUdeviceptr out = zeros<unsigned>(3 * 4 * 2 * 5 * 3 * 7);
    run("positions", {3, 4, 2}, {5, 3, 7}, out);
    const auto results = download<unsigned>(out, 3 * 4 * 2 * 5 * 3 * 7);
    std::size_t i = 0;
    for (unsigned bz = 0; bz < 2; ++bz)
        for (unsigned by = 0; by < 4; ++by)
            for (unsigned bx = 0; bx < 3; ++bx)
                for (unsigned z = 0; z < 7; ++z)
                    for (unsigned y = 0; y < 3; ++y)
                        for (unsigned x = 0; x < 5; ++x)
                            ASSERT_EQ(results[i++], x + 16 * (y + 16 * (z + 16 * (bx + 16 * (by + 16 * bz)))));
}

TEST_P(ControlKernelsTest, DoesNotWaitForThreadsThatHaveEnded) {
    for (const int n : {1, 31, 32, 40, 100, 128}) {
        const CUdeviceptr out = upload(std::vector<int>(128, -1));
        run("early_exit", {1}, {128}, out, n);
        const auto results = download<int>(out, 128);
        for (int i = 0; i < 128; ++i)
            EXPECT_EQ(results[static_cast<std::size_t>(i)], i < n ? n * (n - 1) / 2 : -1) << n << ' ' << i;
    }
}

TEST_P(ControlKernelsTest, VotesAtBarriers) {
    const auto x = random_integers<int>(200, -10, 99);
    const CUdeviceptr out = zeros<int>(3);
    run("barrier_votes", {1}, {200}, upload(x), out);
    const auto positive = std::ranges::count_if(x, [](int v) { return v > 0; });
    const bool is_large = std::ranges::any_of(x, [](int v) { return v > 90; });
    EXPECT_EQ(download<int>(out, 3), (std::vector<int>{static_cast<int>(positive), positive == 200, is_large}));
}

TEST_P(ControlKernelsTest, ReadsVariablesWithInitialValues) {
    const CUdeviceptr out = zeros<double>(5), index = upload(std::vector<int>{1, 2});
    run("variables", {1}, {1}, out, index);
    EXPECT_EQ(download<double>(out, 5), (std::vector<double>{1.0, 99 - 7 + 0x1p20 - 0x1p40 + 2.5, 41, 'c', 9}));
    EXPECT_EQ(variable<int>("counter"), 42);
    EXPECT_EQ((variable<std::array<char, 3>>("text")), (std::array<char, 3>{'z', 'b', 'c'}));
    const auto [status, coefficients, size] = cuModuleGetGlobal(module, "coefficients");
    ASSERT_EQ(status, CUDA_SUCCESS);
    const double changed[] = {0, 100, 0, 10};
    ASSERT_EQ(size, sizeof changed);
    ASSERT_EQ(cuMemcpyHtoD(coefficients, changed, sizeof changed).status, CUDA_SUCCESS);
    run("variables", {1}, {1}, out, index);
    const auto results = download<double>(out, 5);
    EXPECT_EQ(results[0], 110.0);
    EXPECT_EQ(results[2], 43.0);
    EXPECT_EQ(results[4], 10.0);
    EXPECT_EQ(variable<int>("managed"), 11);
}

TEST_P(ControlKernelsTest, DividesDynamicSharedMemory) {
    const CUdeviceptr out = zeros<unsigned>(5000);
    run_shared("in_dynamic", {1}, {96}, 5000 * 6, out, 5000);
    const auto results = download<unsigned>(out, 5000);
    for (unsigned i = 0; i < 5000; ++i) ASSERT_EQ(results[i], (4999 - i) * (4999 - i) + (3 * i & 0xffff)) << i;
}

INSTANTIATE_TEST_SUITE_P(Kernels, ControlKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
