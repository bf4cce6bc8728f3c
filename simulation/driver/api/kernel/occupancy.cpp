// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/occupancy.hpp"

#include <algorithm>
#include <simulation/functions.hpp>

#include "machine/function_check.hpp"
#include "objects/device/attributes.hpp"
#include "work/kernel/cluster.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr unsigned known_flags = CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE;

/// A function, or a kernel in the current context. Some context must be current even for a function.
struct OccupancyCheck : FunctionCheck {
    explicit OccupancyCheck(CUfunction handle) : FunctionCheck(handle, true) {
        if (status == CUDA_SUCCESS) status = CurrentCheck().status;
    }
};

int multiprocessors(const Device& device) {
    return device_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

}  // namespace

extern "C" {

CUresult sim_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func, int blockSize,
                                                                  std::size_t dynamicSMemSize, unsigned int flags) {
    const Valid<OccupancyCheck> function(func);
    if (numBlocks == nullptr || blockSize <= 0 || (flags & ~known_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    return write_output(numBlocks, blocks_on_multiprocessor(function->view(), blockSize, dynamicSMemSize));
}

CUresult sim_cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize,
                                                         std::size_t dynamicSMemSize) {
    return sim_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

CUresult sim_cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func,
                                                       CUoccupancyB2DSize blockSizeToDynamicSMemSize, std::size_t dynamicSMemSize,
                                                       int blockSizeLimit, unsigned int flags) {
    const Valid<OccupancyCheck> function(func);
    if (minGridSize == nullptr || blockSize == nullptr || blockSizeLimit < 0 || (flags & ~known_flags) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const auto dynamic_bytes = [=](int size) {
        return blockSizeToDynamicSMemSize != nullptr ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize;
    };
    const BlockChoice best = best_block_size(function->view(), dynamic_bytes, blockSizeLimit);
    *blockSize = best.block_size;
    *minGridSize = best.blocks * multiprocessors(function->context->device);
    return CUDA_SUCCESS;
}

CUresult sim_cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                              CUoccupancyB2DSize blockSizeToDynamicSMemSize, std::size_t dynamicSMemSize,
                                              int blockSizeLimit) {
    return sim_cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, blockSizeToDynamicSMemSize,
                                                         dynamicSMemSize, blockSizeLimit, 0);
}

CUresult sim_cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicSmemSize, CUfunction func, int numBlocks,
                                                     int blockSize) {
    const Valid<OccupancyCheck> function(func);
    if (dynamicSmemSize == nullptr || numBlocks <= 0 || blockSize <= 0) return CUDA_ERROR_INVALID_VALUE;
    const bool fit = available_shared_bytes(function->view(), numBlocks, blockSize, *dynamicSmemSize);
    return fit ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// If the block cannot be launched, the result is 0.
CUresult sim_cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func, const CUlaunchConfig* config) {
    const OccupancyCheck function(func);
    if (function.failed()) return function.value_status();
    if (clusterSize == nullptr || config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const int threads = threads_of(*config);
    const int blocks = threads > 0 ? blocks_on_multiprocessor(function->view(), threads, config->sharedMemBytes) : 0;
    return write_output(clusterSize, blocks > 0 ? max_cluster_blocks(function->view()) : 0);
}

// Counts clusters as if all multiprocessors formed one group. Each multiprocessor runs at most eight blocks of clusters
// at the same time.
CUresult sim_cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func, const CUlaunchConfig* config) {
    const Valid<OccupancyCheck> function(func);
    if (numClusters == nullptr || config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Extent3 cluster;
    if (const CUresult status = find_cluster(function->view(), *config, cluster)) return status;
    const int size = static_cast<int>(cluster.x * cluster.y * cluster.z);
    const int threads = threads_of(*config);
    if (size == 0 || threads <= 0) return write_output(numClusters, 0);
    constexpr int max_blocks = 8;
    const int blocks = std::min(max_blocks, blocks_on_multiprocessor(function->view(), threads, config->sharedMemBytes));
    return write_output(numClusters, blocks * (multiprocessors(function->context->device) / size));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
