// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of CUB's algorithms for a device, with the parameters that CUB selects for compute capability 9.0. Launches them as
// CUB does. The names are those of CUB 3.3 and later, which CUDA 13.4 has; CUB may change them with each release.
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

// Variables that hold the address of a kernel make NVRTC compile it, and their initial values state its name.
constexpr const char* cub_device_source = R"(
#include <cuda_device_runtime_api.h>
#include <cub/device/dispatch/kernels/kernel_radix_sort.cuh>
#include <cub/device/dispatch/kernels/kernel_reduce.cuh>
#include <cub/device/dispatch/kernels/kernel_scan.cuh>
#include <cub/version.cuh>

namespace reduce = cub::detail::reduce;
namespace scan = cub::detail::scan;
namespace sort = cub::detail::radix_sort;
using Plus = cuda::std::plus<>;
using Identity = cuda::std::identity;
using ReducePolicy = reduce::policy_selector_from_types<float, unsigned, Plus>;
using ScanPolicy = scan::policy_selector_from_types<const int*, int*, int, unsigned, Plus>;
using SortPolicy = sort::policy_selector_from_types<unsigned, unsigned, unsigned>;
using TileState = cub::ScanTileState<int>;
using Start = cub::detail::InputValue<int>;

#if CUB_VERSION >= 300500
constexpr auto of_reduce = cub::detail::current_policy<ReducePolicy>().multi_tile;
__device__ auto reduce_tiles = &reduce::DeviceReduceKernel<ReducePolicy, true, const float*, float*, unsigned, unsigned, Plus, float,
                                                           cub::NullType, Identity>;
#else
constexpr auto of_reduce = cub::detail::current_policy<ReducePolicy>().reduce;
__device__ auto reduce_tiles = &reduce::DeviceReduceKernel<ReducePolicy, const float*, unsigned, Plus, float, Identity>;
#endif
__device__ auto reduce_sums =
    &reduce::DeviceReduceSingleTileKernel<ReducePolicy, const float*, float*, unsigned, Plus, float, float, Identity>;
__device__ auto start_scan = &scan::DeviceScanInitKernel<ScanPolicy, const int*, int*, TileState, int>;
__device__ auto scan_tiles = &scan::DeviceScanKernel<ScanPolicy, const int*, int*, TileState, Plus, Start, unsigned, int, false>;
__device__ auto count_digits = &sort::DeviceRadixSortHistogramKernel<SortPolicy, cub::SortOrder::Ascending, unsigned, unsigned>;
__device__ auto add_digits = &sort::DeviceRadixSortExclusiveSumKernel<SortPolicy, unsigned>;
__device__ auto sort_digit =
    &sort::DeviceRadixSortOnesweepKernel<SortPolicy, cub::SortOrder::Ascending, unsigned, unsigned, unsigned, int, int>;

// Parameters that the host code of CUB computes.
struct Parameters {
    int reduce_tile, scan_tile, sort_tile, add_threads;
    alignas(16) cub::GridEvenShare<unsigned> share;
    alignas(16) TileState state;
    alignas(16) unsigned char start[sizeof(Start)];
};
static_assert(sizeof(Parameters::share) == 40 && sizeof(TileState) == 8 && sizeof(Start) == 16, "the host passes these sizes");
extern "C" __global__ void prepare(Parameters* p, int n, int blocks, void* descriptors, int start) {
    constexpr auto of_scan = cub::detail::current_policy<ScanPolicy>().lookback;
    constexpr auto of_sort = cub::detail::current_policy<SortPolicy>().onesweep;
    p->reduce_tile = of_reduce.threads_per_block * of_reduce.items_per_thread;
    p->scan_tile = of_scan.threads_per_block * of_scan.items_per_thread;
    p->sort_tile = of_sort.threads_per_block * of_sort.items_per_thread;
    p->add_threads = cub::detail::current_policy<SortPolicy>().exclusive_sum.threads_per_block;
    p->share = cub::GridEvenShare<unsigned>();
    p->share.DispatchInit(n, blocks, p->reduce_tile);
    p->state.Init(0, descriptors, 0);
    new (p->start) Start(start);
}
)";

struct Parameters {
    int reduce_tile, scan_tile, sort_tile, add_threads;
    alignas(16) std::array<std::byte, 40> share;
    alignas(16) std::array<std::byte, 16> state;  // CUB 3.5 passes 16 bytes, of which the first 8 are the state
    alignas(16) std::array<std::byte, 16> start;
};
struct Empty {};

class CubDeviceKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load_with_headers(cub_device_source, "cub/device/dispatch/kernels/kernel_scan.cuh");
    }

    Parameters prepare(int count, int blocks, CUdeviceptr descriptors, int start) {
        const CUdeviceptr parameters = zeros<Parameters>(1);
        run("prepare", {1}, {1}, parameters, count, blocks, descriptors, start);
        return download<Parameters>(parameters, 1)[0];
    }
    /// Returns the name of the kernel whose address a variable holds.
    std::string kernel_in(const char* variable) const {
        const std::string declaration = std::string(" ") + variable + " = ";
        const std::size_t at = ptx.find(declaration);
        EXPECT_NE(at, std::string::npos) << variable;
        const std::size_t begin = at == std::string::npos ? ptx.size() : at + declaration.size();
        return ptx.substr(begin, ptx.find(';', begin) - begin);
    }
    /// Launches the kernel whose address a variable holds, with the block size that it was compiled for.
    template <class... Arguments>
    void run_cub(const char* variable, unsigned blocks, Arguments... arguments) {
        const std::string name = kernel_in(variable);
        const int threads = cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function(name.c_str())).value;
        run(name.c_str(), {blocks}, {static_cast<unsigned>(threads)}, arguments...);
    }
};

TEST_P(CubDeviceKernelsTest, Reduces) {
    std::vector<float> x(30001);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 31 % 61) * 0.25f;  // all sums are exact
    const CUdeviceptr sums = zeros<float>(3), sum = zeros<float>(1);
    const auto count = static_cast<unsigned>(x.size());
    const Parameters parameters = prepare(static_cast<int>(count), 3, 0, 0);
    ASSERT_GT(count, 4u * static_cast<unsigned>(parameters.reduce_tile)) << "each block must have more than one tile";
    // CUB 3.5 has one more parameter, an initial value.
    run_cub("reduce_tiles", 3, upload(x), sums, count, parameters.share, Empty{}, Empty{}, Empty{});
    run_cub("reduce_sums", 1, sums, sum, 3u, Empty{}, 0.5f, Empty{});
    EXPECT_EQ(download<float>(sum, 1)[0], std::accumulate(x.begin(), x.end(), 0.5f));
}

TEST_P(CubDeviceKernelsTest, ScansInOnePass) {
    const auto x = random_integers<int>(20011, -1000, 1000);
    // A tile has at least 32 elements, and 32 descriptors of 8 bytes precede those of the tiles.
    const CUdeviceptr descriptors = zeros<long long>(32 + x.size() / 32), out = zeros<int>(x.size());
    const Parameters parameters = prepare(static_cast<int>(x.size()), 1, descriptors, 7);
    const auto count = static_cast<unsigned>(x.size()), tile = static_cast<unsigned>(parameters.scan_tile);
    const unsigned tiles = (count + tile - 1) / tile;
    ASSERT_GT(tiles, 2u);
    run_cub("start_scan", (tiles + 127) / 128, parameters.state, static_cast<int>(tiles));
    run_cub("scan_tiles", tiles, upload(x), out, parameters.state, 0, Empty{}, parameters.start, count, 0);
    std::vector<int> expected(x.size());
    std::exclusive_scan(x.begin(), x.end(), expected.begin(), 7);
    EXPECT_EQ(download<int>(out, x.size()), expected);
}

TEST_P(CubDeviceKernelsTest, SortsPairsByDigits) {
    constexpr unsigned digits = 256;
    auto keys = random_integers<unsigned>(20000, 0, ~0u);
    for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] &= 0xff00ff;  // some are equal
    std::vector<unsigned> order(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    const Parameters parameters = prepare(1, 1, 0, 0);
    const auto count = static_cast<unsigned>(keys.size()), tile = static_cast<unsigned>(parameters.sort_tile);
    const unsigned tiles = (count + tile - 1) / tile;
    ASSERT_GT(tiles, 2u);
    CUdeviceptr from = upload(keys), to = zeros<unsigned>(count), values = upload(order), moved = zeros<unsigned>(count);
    const CUdeviceptr bins = zeros<unsigned>(4 * digits), tickets = zeros<int>(4);
    run_cub("count_digits", 2, bins, from, count, 0, 32, Empty{});
    run(kernel_in("add_digits").c_str(), {4}, {static_cast<unsigned>(parameters.add_threads)}, bins);
    for (unsigned pass = 0; pass < 4; ++pass) {
        run_cub("sort_digit", tiles, zeros<int>(tiles * digits), tickets + pass * 4, CUdeviceptr{0}, bins + pass * digits * 4, to,
                from, moved, values, static_cast<int>(count), static_cast<int>(pass * 8), 8, Empty{});
        std::swap(from, to);
        std::swap(values, moved);
    }
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    EXPECT_EQ(download<unsigned>(values, count), order);
    std::ranges::sort(keys);
    EXPECT_EQ(download<unsigned>(from, count), keys);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CubDeviceKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
