// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/occupancy.hpp"

#include <algorithm>

#include "objects/device/attributes.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr int warp_size = 32;

int warps_of(int threads) noexcept {
    return (threads + warp_size - 1) / warp_size;
}

int blocks_with_shared_memory(const KernelView& view, std::size_t dynamic_bytes) {
    if (dynamic_bytes > static_cast<std::size_t>(view.get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES))) return 0;
    constexpr std::size_t piece = 128;
    const auto reserved =
        static_cast<std::size_t>(device_attribute(view.device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
    const auto all =
        static_cast<std::size_t>(device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
    if (view.kernel.shared_bytes > all) return 0;
    const std::size_t bytes_per_block = (view.kernel.shared_bytes + dynamic_bytes + piece - 1) / piece * piece + reserved;
    return bytes_per_block != 0 ? static_cast<int>(std::min<std::size_t>(all / bytes_per_block, 1 << 20)) : 1 << 20;
}

}  // namespace

// Each quarter of a multiprocessor has its own registers, which are allocated to warps in units of 256.
int warps_with_registers(const Device& device, int registers) {
    constexpr int quarters = 4;
    constexpr int piece = 256;
    const int registers_per_warp = (registers * warp_size + piece - 1) / piece * piece;
    return device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) / quarters / registers_per_warp *
           quarters;
}

int blocks_on_multiprocessor(const KernelView& view, int block_size, std::size_t dynamic_bytes) {
    if (block_size > device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) return 0;
    const int warps = warps_of(block_size);
    const int max_threads = device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    return std::min({max_threads / warp_size / warps,
                     warps_with_registers(view.device, view.get(CU_FUNC_ATTRIBUTE_NUM_REGS)) / warps,
                     device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
                     blocks_with_shared_memory(view, dynamic_bytes)});
}

bool available_shared_bytes(const KernelView& view, int blocks, int block_size, std::size_t& bytes) {
    if (blocks > blocks_on_multiprocessor(view, block_size, 0)) return false;
    const int share = device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / blocks;
    const int left = std::max(0, share - view.get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    bytes = static_cast<std::size_t>(std::min(left, view.get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)));
    return true;
}

int max_cluster_blocks(const KernelView& view) {
    constexpr int portable = 8;
    constexpr int non_portable = 16;
    return view.get(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) != 0 ? non_portable : portable;
}

}  // namespace CUBIND_NAMESPACE::sim
