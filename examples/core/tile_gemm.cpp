// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Multiplies two matrices with a kernel of CUDA Tile C++. The kernel works on tiles, and the compiler chooses threads, shared
// memory and tensor cores. NVRTC 13.3 or newer compiles it to Tile IR, and tileiras compiles that to machine code. The grid has
// one block for each tile of the product. The sizes are no multiples of a tile: what is beyond the border is loaded as 0 and not
// stored. The simulated driver executes PTX only, so the example needs a GPU of compute capability 8.0 or newer.

#include <cubind/core.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/find.hpp>
#include <cubind/nvrtc/query.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr int rows = 500, columns = 700, inner = 300;
constexpr unsigned tile_edge = 64;

const char* const source = R"(
#include <cuda_tile.h>

template <int edge, int depth>
__tile_global__ void multiply(const float* a, const float* b, float* product, int rows, int columns, int inner)
{
    namespace ct = cuda::tiles;
    const ct::partition_view a_tiles{ct::tensor_span{a, ct::extents{rows, inner}}, ct::shape<edge, depth>{}};
    const ct::partition_view b_tiles{ct::tensor_span{b, ct::extents{inner, columns}}, ct::shape<depth, edge>{}};
    const ct::partition_view tiles{ct::tensor_span{product, ct::extents{rows, columns}}, ct::shape<edge, edge>{}};
    const auto [column, row, ignored] = ct::bid();
    auto sum = ct::zeros<ct::tile<float, ct::shape<edge, edge>>>();
    for (int k = 0; k < (inner + depth - 1) / depth; ++k)
        sum = ct::mma(a_tiles.load_masked(row, k), b_tiles.load_masked(k, column), sum);
    tiles.store_masked(sum, row, column);
}
)";

/// Returns small integers, whose products and sums are exact in each format that a tensor core may use.
std::vector<float> integers(int count, int step) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i * step % 7 - 3);
    return values;
}

std::size_t count_wrong(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& product) {
    std::vector<float> expected(product.size());
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t k = 0; k < inner; ++k) {
            for (std::size_t column = 0; column < columns; ++column)
                expected[row * columns + column] += a[row * inner + k] * b[k * columns + column];
        }
    }
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < product.size(); ++i) wrong += product[i] != expected[i];
    return wrong;
}

int tile_gemm() {
    if (is_simulated_driver())
        return example::skip("the simulated driver executes PTX, and Tile kernels have none: a GPU is needed.");
    const Device device;
    if (device.compute_capability().major < 8)
        return example::skip(device.name() + " has no Tile kernels, which need compute capability 8.0.");
    const auto [status, major, minor] = nvrtc::nvrtcVersion();
    if (status != nvrtc::NVRTC_SUCCESS || 10 * major + minor < 133) return example::skip("Tile C++ needs NVRTC 13.3 or newer.");
    if (const Location tileiras = locate(ArtifactKind::program, "tileiras"); !tileiras.ok())
        return example::skip(tileiras.message);

    Program program(source, {.name = "multiply.cu", .enable_tile = true});
    const ObjectCode code = program.compile(CodeType::cubin, {.name_expressions = {"multiply<64, 32>"}});
    const KernelFunction<void(const float*, const float*, float*, int, int, int)> multiply(code.kernel("multiply<64, 32>"),
                                                                                           device);

    const Stream stream(device);
    const std::vector<float> a = integers(rows * inner, 5), b = integers(inner * columns, 3);
    std::vector<float> product(std::size_t{rows} * columns);
    TypedBuffer<float> a_buffer = device.allocate<float>(stream, a.size());
    TypedBuffer<float> b_buffer = device.allocate<float>(stream, b.size());
    TypedBuffer<float> result = device.allocate<float>(stream, product.size());
    copy(stream, a_buffer, a);
    copy(stream, b_buffer, b);
    const auto tiles = [](int size) { return (static_cast<unsigned>(size) + tile_edge - 1) / tile_edge; };
    multiply(stream, {.grid = {tiles(columns), tiles(rows)}}, a_buffer, b_buffer, result, rows, columns, inner);
    copy(stream, product, result);
    stream.synchronize();

    const std::size_t wrong = count_wrong(a, b, product);
    std::printf("%d x %d by %d x %d in %u x %u tiles of %u x %u: %zu elements are wrong\n", rows, inner, inner, columns,
                tiles(rows), tiles(columns), tile_edge, tile_edge, wrong);
    return example::verdict(wrong == 0, "each element equals the one that the host computes");
}

}  // namespace

int main() {
    return example::run(tile_gemm);
}
