// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

void ask_about_runtime_functions() {
    const cudaLibrary_t library = load_library();
    const void* const two = get_kernel(library, "two");
    const void* const limited = get_kernel(library, "limited");
    ASK(cudaFuncGetAttributes(two));
    ASK(cudaFuncGetAttributes(limited));
    ASK(cudaFuncGetName(two));
    ASK(cudaFuncGetParamCount(two));
    ASK(cudaFuncGetParamCount(limited));
    ASK(cudaFuncGetParamInfo(two, 0));
    ASK(cudaFuncGetParamInfo(two, 1));
    ASK(cudaFuncGetParamInfo(two, 2));
    ASK(cudaGetFuncBySymbol(two));
    ASK(cudaGetKernel(two));
    ASK(cudaFuncSetCacheConfig(two, cudaFuncCachePreferShared));
    ASK(cudaFuncSetCacheConfig(two, static_cast<cudaFuncCache>(9)));
    ASK(cudaFuncSetSharedMemConfig(two, cudaSharedMemBankSizeFourByte));
    ASK(cudaFuncSetSharedMemConfig(two, static_cast<cudaSharedMemConfig>(9)));
    for (int i = 0; i <= 17; ++i) {
        const auto attribute = static_cast<cudaFuncAttribute>(i);
        const std::string number = std::to_string(i);
        ask(("cudaFuncSetAttribute 1 " + number).c_str(), [&] { return cudaFuncSetAttribute(two, attribute, 1); });
        ask(("cudaFuncSetAttribute -5 " + number).c_str(), [&] { return cudaFuncSetAttribute(two, attribute, -5); });
    }
    ASK(cudaFuncGetAttributes(two));
    ASK(cudaFuncSetAttribute(two, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    ASK(cudaFuncSetAttribute(two, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    ASK(cudaFuncSetAttribute(two, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    ASK(cudaFuncSetAttribute(two, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    ASK(cudaFuncSetAttribute(two, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    ASK(cudaFuncSetAttribute(two, cudaFuncAttributeRequiredClusterWidth, 2));
    ASK(cudaFuncSetAttribute(two, static_cast<cudaFuncAttribute>(99), 1));
    ASK(cudaFuncGetAttributes(two));
    ASK(cudaGetLastError());
    ASK(cudaFuncGetAttributes(nullptr));
    ASK(cudaFuncSetAttribute(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    ASK(cudaFuncSetCacheConfig(nullptr, cudaFuncCachePreferShared));
    ASK(cudaFuncGetName(nullptr));
    ASK(cudaFuncGetParamCount(nullptr));
    ASK(cudaFuncGetParamInfo(nullptr, 0));
}

void ask_about_runtime_occupancy() {
    const cudaLibrary_t library = load_library();
    const void* const two = get_kernel(library, "two");
    const void* const limited = get_kernel(library, "limited");
    for (const int threads : {1, 32, 100, 256, 1024, 1025, 0, -1}) {
        ask(("blocks of " + std::to_string(threads)).c_str(),
            [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(two, threads, 0); });
        ask(("shared memory for 2 blocks of " + std::to_string(threads)).c_str(),
            [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(two, 2, threads); });
    }
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(two, 128, 40000));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(two, 128, 60000));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(limited, 256, 0));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(two, 128, 0, cudaOccupancyDisableCachingOverride));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(two, 128, 0, 99));
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(two, 0, 128));
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(two, 999, 128));
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = {8, 1, 1};
    config.blockDim = {128, 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
    ASK(cudaOccupancyMaxPotentialClusterSize(two, &config));
    ask("cudaOccupancyMaxActiveClusters of 2",
        [&] { return cubind::Result<cudaError_t>{cudaOccupancyMaxActiveClusters(two, &config).status}; });
    cluster.val.clusterDim = {3, 1, 1};
    ASK(cudaOccupancyMaxActiveClusters(two, &config));
    cluster.val.clusterDim = {16, 1, 1};
    ASK(cudaOccupancyMaxActiveClusters(two, &config));
    config.numAttrs = 0;
    ask("cudaOccupancyMaxActiveClusters without a size",
        [&] { return cubind::Result<cudaError_t>{cudaOccupancyMaxActiveClusters(two, &config).status}; });
    ASK(cudaOccupancyMaxPotentialClusterSize(two, &config));
    ASK(cudaGetLastError());
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, 128, 0));
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, 1, 128));
    ASK(cudaOccupancyMaxPotentialClusterSize(nullptr, &config));
    ASK(cudaOccupancyMaxActiveClusters(two, nullptr));
}

}  // namespace answers
