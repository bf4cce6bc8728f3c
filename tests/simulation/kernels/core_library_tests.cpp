// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that use libcu++.
#include <algorithm>
#include <complex>
#include <numeric>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* core_library_source = R"(
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
__device__ cuda::std::tuple<int, float, char> divide(int v) { return {v / 7, v * 0.5f, (char)(v % 7)}; }
extern "C" {
__global__ void count(const int* x, int n, int* bins, cuda::atomic<unsigned long long, cuda::thread_scope_device>* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> of_block;
    if (threadIdx.x == 0) of_block.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (i < n) {
        cuda::atomic_ref<int, cuda::thread_scope_device>(bins[x[i] & 15]).fetch_add(1, cuda::memory_order_relaxed);
        of_block.fetch_add(x[i], cuda::memory_order_acq_rel);
    }
    __syncthreads();
    if (threadIdx.x == 0) total->fetch_add(of_block.load());
}
__global__ void find_least(const double* x, double* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<double, cuda::thread_scope_device> least(*out);
    double seen = least.load();
    while (x[i] < seen && !least.compare_exchange_weak(seen, x[i])) {}
}
__global__ void pass_on(cuda::atomic<int, cuda::thread_scope_system>* turn, int* value) {  // blocks continue in descending order
    if (threadIdx.x != 0) return;
    while (turn->load(cuda::memory_order_acquire) != gridDim.x - 1 - blockIdx.x) {}
    *value = *value * 3 + blockIdx.x;
    turn->fetch_add(1, cuda::memory_order_release);
}
__global__ void narrow(const unsigned char* x, unsigned char* mixed, short* sum) {
    cuda::atomic_ref<unsigned char, cuda::thread_scope_device>(mixed[threadIdx.x % 4]).fetch_xor(x[threadIdx.x]);
    cuda::atomic_ref<short, cuda::thread_scope_device>(*sum).fetch_add(x[threadIdx.x]);
}
__global__ void powers(const double2* x, double2* out, int n) {
    const int i = threadIdx.x;
    const cuda::std::complex<double> z(x[i].x, x[i].y);
    cuda::std::complex<double> power(1, 0);
    for (int k = 0; k < n; ++k) power *= z;
    const auto quotient = power / (z + cuda::std::complex<double>(3, 0));
    out[3 * i] = make_double2(power.real(), power.imag());
    out[3 * i + 1] = make_double2(quotient.real(), quotient.imag());
    out[3 * i + 2] = make_double2(cuda::std::abs(z), cuda::std::norm(z));
}
__global__ void containers(const int* x, float* out) {
    const cuda::std::span<const int> all(x, blockDim.x);
    cuda::std::array<int, 4> values = {1, 2, 3, 4};
    const auto [quotient, half, rest] = divide(all[threadIdx.x]);
    values[rest % 4] += quotient;
    cuda::std::optional<int> odd;
    if (quotient % 2) odd = quotient;
    float sum = half + odd.value_or(-3);
    for (const int each : values) sum += each * each;
    for (const int each : all.subspan(3, 5)) sum += each;
    out[threadIdx.x] = sum;
}
}
)";

class CoreLibraryKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load_with_headers(core_library_source, "cuda/atomic");
    }
};

TEST_P(CoreLibraryKernelsTest, CountsWithAtomicObjectsAndReferences) {
    const auto x = random_integers<int>(700, 0, 1000);
    const CUdeviceptr bins = zeros<int>(16), total = zeros<unsigned long long>(1);
    run("count", {6}, {128}, upload(x), 700, bins, total);
    std::vector<int> expected(16);
    for (const int each : x) ++expected[static_cast<std::size_t>(each & 15)];
    EXPECT_EQ(download<int>(bins, 16), expected);
    EXPECT_EQ(download<unsigned long long>(total, 1)[0], std::accumulate(x.begin(), x.end(), 0ull));
}

TEST_P(CoreLibraryKernelsTest, FindsTheLeastByCompareExchange) {
    const auto x = random_reals<double>(256, -5, 5);
    const CUdeviceptr least = upload(std::vector<double>{100});
    run("find_least", {4}, {64}, upload(x), least);
    EXPECT_EQ(download<double>(least, 1)[0], *std::ranges::min_element(x));
}

TEST_P(CoreLibraryKernelsTest, WaitsWithAcquireAndRelease) {
    const CUdeviceptr value = zeros<int>(1);
    run("pass_on", {12}, {32}, zeros<int>(1), value);
    int expected = 0;
    for (int block = 11; block >= 0; --block) expected = expected * 3 + block;
    EXPECT_EQ(download<int>(value, 1)[0], expected);
}

TEST_P(CoreLibraryKernelsTest, UpdatesBytesAndShortsAtomically) {
    const auto x = random_integers<unsigned char>(96, 0, 255);
    const CUdeviceptr mixed = zeros<unsigned char>(4), sum = upload(std::vector<short>{-7, 1234});
    run("narrow", {1}, {96}, upload(x), mixed, sum);
    std::vector<unsigned char> expected(4);
    int total = -7;
    for (std::size_t i = 0; i < x.size(); ++i) {
        expected[i % 4] = static_cast<unsigned char>(expected[i % 4] ^ x[i]);
        total += x[i];
    }
    EXPECT_EQ(download<unsigned char>(mixed, 4), expected);
    EXPECT_EQ(download<short>(sum, 2), (std::vector<short>{static_cast<short>(total), 1234}));
}

TEST_P(CoreLibraryKernelsTest, ComputesComplexNumbers) {
    const auto x = random_reals<double>(128, -1.2, 1.2);
    const CUdeviceptr out = zeros<double>(64 * 6);
    run("powers", {1}, {64}, upload(x), out, 9);
    const auto results = download<double>(out, 64 * 6);
    for (std::size_t i = 0; i < 64; ++i) {
        const std::complex<double> z(x[2 * i], x[2 * i + 1]), power = std::pow(z, 9), quotient = power / (z + 3.0);
        const double expected[] = {power.real(), power.imag(), quotient.real(), quotient.imag(), std::abs(z), std::norm(z)};
        for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(results[i * 6 + k], expected[k], 1e-12 * (1 + std::abs(power))) << i;
    }
}

TEST_P(CoreLibraryKernelsTest, UsesContainers) {
    const auto x = random_integers<int>(64, 0, 500);
    const CUdeviceptr out = zeros<float>(64);
    run("containers", {1}, {64}, upload(x), out);
    const auto results = download<float>(out, 64);
    for (std::size_t i = 0; i < 64; ++i) {
        int values[] = {1, 2, 3, 4};
        values[x[i] % 7 % 4] += x[i] / 7;
        float sum = static_cast<float>(x[i]) / 2 + static_cast<float>(x[i] / 7 % 2 != 0 ? x[i] / 7 : -3);
        for (const int each : values) sum += static_cast<float>(each * each);
        for (std::size_t k = 3; k < 8; ++k) sum += static_cast<float>(x[k]);
        EXPECT_EQ(results[i], sum) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, CoreLibraryKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
