// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "api/kernel/with_function.hpp"
#include "state/launch.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                              std::size_t dynamicSMemSize) {
    return with_function(func, [&](CUfunction function) {
        return cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, function, blockSize, dynamicSMemSize);
    });
}

cudaError_t sim_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func, int blockSize,
                                                                       std::size_t dynamicSMemSize, unsigned int flags) {
    return with_function(func, [&](CUfunction function) {
        return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, function, blockSize, dynamicSMemSize, flags);
    });
}

cudaError_t sim_cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicSmemSize, const void* func, int numBlocks,
                                                          int blockSize) {
    return with_function(func, [&](CUfunction function) {
        return cuOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, function, numBlocks, blockSize);
    });
}

cudaError_t sim_cudaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func, const cudaLaunchConfig_t* launchConfig) {
    if (launchConfig == nullptr) return cudaErrorInvalidValue;
    return with_function(func, [&](CUfunction function) {
        const CUlaunchConfig configuration = to_driver(*launchConfig);
        return cuOccupancyMaxPotentialClusterSize(clusterSize, function, &configuration);
    });
}

cudaError_t sim_cudaOccupancyMaxActiveClusters(int* numClusters, const void* func, const cudaLaunchConfig_t* launchConfig) {
    if (launchConfig == nullptr) return cudaErrorInvalidValue;
    return with_function(func, [&](CUfunction function) {
        const CUlaunchConfig configuration = to_driver(*launchConfig);
        return cuOccupancyMaxActiveClusters(numClusters, function, &configuration);
    });
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
