// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/attributes.hpp"

namespace cubind::sim {

/// How many blocks of a kernel one multiprocessor holds at a time: as many as threads, blocks, registers and shared memory allow.
/// 0 for blocks that are too large to be launched.
int blocks_on_multiprocessor(const KernelView& view, int block_size, std::size_t dynamic_bytes);

/// What fills a multiprocessor best, of sizes that are whole warps or `limit`; 0 for a limit that does not count.
struct BlockChoice {
    int block_size = 0;
    int blocks = 0;  ///< on a multiprocessor
};
template <class DynamicBytes>
BlockChoice best_block_size(const KernelView& view, DynamicBytes dynamic_bytes, int limit) {
    constexpr int warp = 32;
    const int of_kernel = view.get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    const int most = limit == 0 || limit > of_kernel ? of_kernel : limit;
    BlockChoice best;
    for (int rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
        const int size = rounded < most ? rounded : most;
        const int blocks = blocks_on_multiprocessor(view, size, dynamic_bytes(size));
        if (blocks * size > best.blocks * best.block_size) best = {size, blocks};
    }
    return best;
}

/// The most dynamic shared memory with which so many blocks of a size fit; false if they do not fit at all.
bool available_shared_bytes(const KernelView& view, int blocks, int block_size, std::size_t& bytes);

/// How large a cluster may be: portable ones, unless the kernel allows others.
int max_cluster_blocks(const KernelView& view);

}  // namespace cubind::sim
