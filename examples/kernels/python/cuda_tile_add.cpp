// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Launches a kernel that Python's cuda.tile has exported: as machine code, and as Tile IR, which tileiras compiles at its first
// use. An array of Python is a TileArray, and a constant of the kernel is no argument. The simulated driver executes PTX only, so
// that it compiles the Tile IR and launches nothing. A GPU must have the compute capability of make_products.py.

#include <cubind/core.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/find.hpp>
#include <cubind/kernels.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "products.hpp"

using namespace cubind;

namespace {

constexpr std::size_t count = 10'000;
constexpr int tile_width = 256;

using Array = TileArray<const float, 1>;
using Add = TileFunction<void(Array, Array, TileArray<float, 1>)>;

bool is_right(const Kernel& kernel, const Device& device) {
    const Stream stream(device);
    std::vector<float> x(count), y(count), total(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = static_cast<float>(i);
        y[i] = static_cast<float>(3 * i % 1000);
    }
    TypedBuffer<float> device_x = device.allocate<float>(stream, count);
    TypedBuffer<float> device_y = device.allocate<float>(stream, count);
    TypedBuffer<float> device_total = device.allocate<float>(stream, count);
    copy(stream, device_x, x);
    copy(stream, device_y, y);
    Add(kernel, device)(stream, blocks_for(count, tile_width), device_x, device_y, device_total);
    copy(stream, total, device_total);
    stream.synchronize();
    for (std::size_t i = 0; i < count; ++i) {
        if (total[i] != x[i] + y[i]) return false;
    }
    return true;
}

int cuda_tile_add(const std::filesystem::path& folder) {
    const bool has_assembler = locate(ArtifactKind::program, "tileiras").ok();
    const std::string tile_ir_file = (folder / "add.tileir").string();
    if (is_simulated_driver()) {
        if (!has_assembler)
            return example::skip("the simulated driver does not execute Tile kernels, and there is no tileiras to compile them.");
        std::ifstream file(tile_ir_file, std::ios::binary);
        Program program(SourceKind::tile_ir, std::string(std::istreambuf_iterator<char>(file), {}), {.arch = "sm_90"});
        const ObjectCode cubin = program.compile(CodeType::cubin);
        return example::verdict(cubin.text().find(".text.add") != std::string_view::npos,
                                "the machine code of the Tile IR has the kernel");
    }
    const Device device;
    const ObjectCode cubin = ObjectCode::from_file(CodeType::cubin, (folder / "add.cubin").string());
    if (!is_right(cubin.kernel("add"), device)) return example::verdict(false, "the sums by machine code");
    if (!has_assembler) return example::verdict(true, "the sums by machine code; there is no tileiras for Tile IR");
    const ObjectCode tile_ir = ObjectCode::from_file(CodeType::tile_ir, tile_ir_file);
    return example::verdict(is_right(tile_ir.kernel("add"), device), "the sums by machine code and by Tile IR");
}

}  // namespace

int main(int argc, char** argv) {
    return example::run_with_products(argc, argv, "add.cubin", cuda_tile_add);
}
