// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies a matrix by the tensor memory accelerator of GPUs from compute capability 9.0 on. One thread of each block starts the
// copy of a tile to shared memory, a barrier (mbarrier) counts the bytes that arrive, all threads change the tile, and one thread
// starts the copy to the result. Tensor maps describe both matrices, whose rows are padded. Tiles at the right and lower borders
// are cut off. The simulated driver does not execute these copies, so the example needs a GPU.

#include <cubind/core.hpp>
#include <cubind/core/array/tensor_map.hpp>
#include <cubind/core/device/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t rows = 1000, columns = 1500;  // no multiples of a tile
constexpr std::size_t pitch = 1536;                 // elements from one row to the next
constexpr std::uint32_t tile_edge = 32;

const char* const source = R"(
struct alignas(64) Map { char bytes[128]; };

__device__ unsigned int shared_address(const void* pointer) { return (unsigned int)__cvta_generic_to_shared(pointer); }

extern "C" __global__ void copy_tiles(const __grid_constant__ Map from, const __grid_constant__ Map to)
{
    constexpr int edge = 32;
    __shared__ alignas(128) float tile[edge][edge];
    __shared__ alignas(8) unsigned long long barrier;
    const unsigned int tile_at = shared_address(tile), barrier_at = shared_address(&barrier);
    const int x = blockIdx.x * edge, y = blockIdx.y * edge;

    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier_at) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy sees the barrier
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier_at), "r"((unsigned int)sizeof tile) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     :: "r"(tile_at), "l"(&from), "r"(x), "r"(y), "r"(barrier_at) : "memory");
    }
    __syncthreads();  // the barrier is initialized
    unsigned int has_arrived = 0;
    while (has_arrived == 0) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(has_arrived) : "r"(barrier_at) : "memory");
    }

    for (int i = threadIdx.x; i < edge * edge; i += blockDim.x) tile[i / edge][i % edge] += 1.0f;

    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy sees the values of this thread
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                     :: "l"(&to), "r"(x), "r"(y), "r"(tile_at) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");  // the tile must exist until it was read
    }
}
)";

TensorMap map_of(const TypedBuffer<float>& matrix) {
    return TensorMap::tiled({.address = matrix.native_handle(),
                             .type = tensor_data_type<float>,
                             .shape = {columns, rows},
                             .strides = {pitch * sizeof(float)}},
                            {tile_edge, tile_edge});
}

int tma_copy() {
    if (is_simulated_driver())
        return example::skip("the simulated driver does not execute bulk copies, so this example needs a GPU.");
    const Device device;
    if (!device.properties().tensor_map_access_supported()) {
        return example::skip(device.name() + " has no tensor memory accelerator, which compute capability 9.0 introduced.");
    }
    const Stream stream(device);
    Program program(source, {.name = "copy_tiles.cu", .arch = "sm_" + device.arch()});
    const KernelFunction<void(driver::CUtensorMap, driver::CUtensorMap)> copy_tiles(
        program.compile(CodeType::ptx).kernel("copy_tiles"), device);

    std::vector<float> values(rows * pitch);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 65521);
    TypedBuffer<float> from = device.allocate<float>(stream, values.size());
    TypedBuffer<float> to = device.allocate<float>(stream, values.size());
    copy(stream, from, values);
    fill(stream, to, -1.0f);

    const LaunchConfig config{.grid = {(columns + tile_edge - 1) / tile_edge, (rows + tile_edge - 1) / tile_edge}, .block = 128};
    copy_tiles(stream, config, map_of(from), map_of(to));
    std::vector<float> result(values.size());
    copy(stream, result, to);
    stream.synchronize();

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const bool is_padding = i % pitch >= columns;  // must not be written
        wrong += result[i] != (is_padding ? -1.0f : values[i] + 1.0f);
    }
    std::printf("%zu x %zu elements in tiles of %u x %u: %zu are wrong\n", rows, columns, tile_edge, tile_edge, wrong);
    return example::verdict(wrong == 0, "the result equals the matrix plus one, and the padding is unchanged");
}

}  // namespace

int main() {
    return example::run(tma_copy);
}
