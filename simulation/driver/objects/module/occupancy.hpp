// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/module/kernel_view.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Returns how many warps the registers of a multiprocessor suffice for.
int warps_with_registers(const Device& device, int registers);

/// Returns the number of blocks of a kernel that fit on one multiprocessor at the same time, limited by threads,
/// blocks, registers and shared memory. Returns 0 for blocks that are too large to launch.
int blocks_on_multiprocessor(const KernelView& view, int block_size, std::size_t dynamic_bytes);

/// The block size with the highest occupancy of a multiprocessor.
struct BlockChoice {
    int block_size = 0;
    int blocks = 0;  ///< blocks on a multiprocessor
};
/// Selects among the multiples of the warp size and `limit`. A limit of 0 means no limit.
template <class DynamicBytes>
BlockChoice best_block_size(const KernelView& view, DynamicBytes dynamic_bytes, int limit) {
    constexpr int warp = 32;
    const int kernel_limit = view.get(driver::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    const int max_size = limit == 0 || limit > kernel_limit ? kernel_limit : limit;
    BlockChoice best;
    for (int rounded = (max_size + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
        const int size = rounded < max_size ? rounded : max_size;
        const int blocks = blocks_on_multiprocessor(view, size, dynamic_bytes(size));
        if (blocks * size > best.blocks * best.block_size) best = {size, blocks};
    }
    return best;
}

/// Calculates the largest dynamic shared memory with which this number of blocks fits. Returns false if they do not fit
/// at all.
bool available_shared_bytes(const KernelView& view, int blocks, int block_size, std::size_t& bytes);

/// Returns the maximum number of blocks in a cluster: the portable limit, unless the kernel allows larger clusters.
int max_cluster_blocks(const KernelView& view);

}  // namespace CUBIND_NAMESPACE::sim
