// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void ask_about_attributes(CUfunction function) {
    for (int i = 0; i <= 16; ++i) {
        const auto attribute = static_cast<CUfunction_attribute>(i);
        const std::string number = std::to_string(i);
        ask(("cuFuncGetAttribute " + number).c_str(), [&] { return cuFuncGetAttribute(attribute, function); });
        ask(("cuFuncSetAttribute 1 " + number).c_str(), [&] { return cuFuncSetAttribute(function, attribute, 1); });
        ask(("cuFuncSetAttribute -5 " + number).c_str(), [&] { return cuFuncSetAttribute(function, attribute, -5); });
    }
    ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
    ASK(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
    ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1));
    ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2));
    ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    ASK(cuFuncSetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1));
    ASK(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
}

}  // namespace

void ask_about_functions() {
    use_device();
    const CUmodule module = cuModuleLoadData(ptx).value;
    const CUfunction two = cuModuleGetFunction(module, "two").value;
    const CUfunction limited = cuModuleGetFunction(module, "limited").value;
    ASK(cuFuncGetName(two));
    ASK(cuFuncGetName(nullptr));
    REPORT(cuFuncGetModule(two).value == module);
    ASK(cuFuncGetModule(nullptr));
    ASK(cuFuncGetParamCount(two));
    ASK(cuFuncGetParamCount(limited));
    ASK(cuFuncGetParamCount(nullptr));
    ASK(cuFuncGetParamInfo(two, 0));
    ASK(cuFuncGetParamInfo(two, 1));
    ASK(cuFuncGetParamInfo(two, 2));
    ASK(cuFuncGetParamInfo(nullptr, 0));
    ASK(cuFuncIsLoaded(two));
    ASK(cuFuncLoad(two));
    ASK(cuFuncIsLoaded(two));
    ASK(cuFuncIsLoaded(nullptr));
    ASK(cuFuncLoad(nullptr));
    ASK(cuFuncSetCacheConfig(two, CU_FUNC_CACHE_PREFER_SHARED));
    ASK(cuFuncSetCacheConfig(two, static_cast<CUfunc_cache>(9)));
    ASK(cuFuncSetCacheConfig(nullptr, CU_FUNC_CACHE_PREFER_SHARED));
    ASK(cuFuncSetSharedMemConfig(two, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    ASK(cuFuncSetSharedMemConfig(two, static_cast<CUsharedconfig>(9)));
    ASK(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, limited));
    ask_about_attributes(two);
}

void ask_about_occupancy() {
    use_device();
    const CUmodule module = cuModuleLoadData(ptx).value;
    const CUfunction two = cuModuleGetFunction(module, "two").value;
    const CUfunction limited = cuModuleGetFunction(module, "limited").value;
    for (const int threads : {1, 32, 100, 256, 1024, 1025, 0, -1}) {
        ask(("blocks of " + std::to_string(threads)).c_str(),
            [&] { return cuOccupancyMaxActiveBlocksPerMultiprocessor(two, threads, 0); });
        ask(("shared memory for 2 blocks of " + std::to_string(threads)).c_str(),
            [&] { return cuOccupancyAvailableDynamicSMemPerBlock(two, 2, threads); });
    }
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(two, 128, 40000));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(two, 128, 60000));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(limited, 256, 0));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, 128, 0));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(two, 128, 0, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(two, 128, 0, 99));
    ASK(cuOccupancyAvailableDynamicSMemPerBlock(two, 0, 128));
    ASK(cuOccupancyAvailableDynamicSMemPerBlock(two, 999, 128));
    ASK(cuOccupancyAvailableDynamicSMemPerBlock(nullptr, 1, 128));
    ASK(cuOccupancyMaxPotentialBlockSize(two, nullptr, 0, 0));
    ASK(cuOccupancyMaxPotentialBlockSize(two, nullptr, 0, 100));
    ASK(cuOccupancyMaxPotentialBlockSize(limited, nullptr, 0, 0));
    ASK(cuOccupancyMaxPotentialBlockSize(two, nullptr, 1 << 20, 0));
    ASK(cuOccupancyMaxPotentialBlockSize(nullptr, nullptr, 0, 0));
    ASK(cuOccupancyMaxPotentialBlockSizeWithFlags(two, nullptr, 0, 0, 99));
    CUlaunchAttribute cluster{};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {2, 1, 1};
    CUlaunchConfig config{8, 1, 1, 128, 1, 1, 0, nullptr, &cluster, 1};
    ASK(cuOccupancyMaxPotentialClusterSize(two, &config));
    ask("cuOccupancyMaxActiveClusters of 2",
        [&] { return cubind::Result<CUresult>{cuOccupancyMaxActiveClusters(two, &config).status}; });
    cluster.value.clusterDim = {3, 1, 1};
    ASK(cuOccupancyMaxActiveClusters(two, &config));
    cluster.value.clusterDim = {16, 1, 1};
    ASK(cuOccupancyMaxActiveClusters(two, &config));
    config.numAttrs = 0;
    ask("cuOccupancyMaxActiveClusters without a size",
        [&] { return cubind::Result<CUresult>{cuOccupancyMaxActiveClusters(two, &config).status}; });
    ASK(cuOccupancyMaxPotentialClusterSize(two, &config));
    ASK(cuOccupancyMaxPotentialClusterSize(nullptr, &config));
    ASK(cuOccupancyMaxActiveClusters(two, nullptr));
}

}  // namespace answers
