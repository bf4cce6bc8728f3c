// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

namespace {

// The fields are asked in parts, because a part that differs hides the others.
void report_sizes(const cudaDeviceProp& device) {
    REPORT(device.sharedMemPerBlock);
    REPORT(device.regsPerBlock);
    REPORT(device.warpSize);
    REPORT(device.memPitch);
    REPORT(device.maxThreadsPerBlock);
    for (const int each : device.maxThreadsDim) report("maxThreadsDim", each);
    for (const int each : device.maxGridSize) report("maxGridSize", each);
    REPORT(device.totalConstMem);
    REPORT(device.major);
    REPORT(device.minor);
    REPORT(device.multiProcessorCount);
    REPORT(device.asyncEngineCount);
    REPORT(device.l2CacheSize);
    REPORT(device.persistingL2CacheMaxSize);
    REPORT(device.maxThreadsPerMultiProcessor);
    REPORT(device.sharedMemPerMultiprocessor);
    REPORT(device.regsPerMultiprocessor);
    REPORT(device.sharedMemPerBlockOptin);
    REPORT(device.maxBlocksPerMultiProcessor);
    REPORT(device.accessPolicyMaxWindowSize);
    REPORT(device.reservedSharedMemPerBlock);
}

void report_textures(const cudaDeviceProp& device) {
    REPORT(device.textureAlignment);
    REPORT(device.texturePitchAlignment);
    REPORT(device.surfaceAlignment);
    REPORT(device.maxTexture1D);
    REPORT(device.maxTexture1DMipmap);
    for (const int each : device.maxTexture2D) report("maxTexture2D", each);
    for (const int each : device.maxTexture2DMipmap) report("maxTexture2DMipmap", each);
    for (const int each : device.maxTexture2DLinear) report("maxTexture2DLinear", each);
    for (const int each : device.maxTexture2DGather) report("maxTexture2DGather", each);
    for (const int each : device.maxTexture3D) report("maxTexture3D", each);
    for (const int each : device.maxTexture3DAlt) report("maxTexture3DAlt", each);
    REPORT(device.maxTextureCubemap);
    for (const int each : device.maxTexture1DLayered) report("maxTexture1DLayered", each);
    for (const int each : device.maxTexture2DLayered) report("maxTexture2DLayered", each);
    for (const int each : device.maxTextureCubemapLayered) report("maxTextureCubemapLayered", each);
    REPORT(device.maxSurface1D);
    for (const int each : device.maxSurface2D) report("maxSurface2D", each);
    for (const int each : device.maxSurface3D) report("maxSurface3D", each);
    for (const int each : device.maxSurface1DLayered) report("maxSurface1DLayered", each);
    for (const int each : device.maxSurface2DLayered) report("maxSurface2DLayered", each);
    REPORT(device.maxSurfaceCubemap);
    for (const int each : device.maxSurfaceCubemapLayered) report("maxSurfaceCubemapLayered", each);
}

void report_features(const cudaDeviceProp& device) {
    REPORT(device.integrated);
    REPORT(device.canMapHostMemory);
    REPORT(device.concurrentKernels);
    REPORT(device.ECCEnabled);
    REPORT(device.tccDriver);
    REPORT(device.unifiedAddressing);
    REPORT(device.memoryBusWidth);
    REPORT(device.streamPrioritiesSupported);
    REPORT(device.globalL1CacheSupported);
    REPORT(device.localL1CacheSupported);
    REPORT(device.managedMemory);
    REPORT(device.isMultiGpuBoard);
    REPORT(device.hostNativeAtomicSupported);
    REPORT(device.pageableMemoryAccess);
    REPORT(device.concurrentManagedAccess);
    REPORT(device.computePreemptionSupported);
    REPORT(device.canUseHostPointerForRegisteredMem);
    REPORT(device.cooperativeLaunch);
    REPORT(device.pageableMemoryAccessUsesHostPageTables);
    REPORT(device.directManagedMemAccessFromHost);
    REPORT(device.hostRegisterSupported);
    REPORT(device.sparseCudaArraySupported);
    REPORT(device.hostRegisterReadOnlySupported);
    REPORT(device.timelineSemaphoreInteropSupported);
    REPORT(device.memoryPoolsSupported);
    REPORT(device.gpuDirectRDMASupported);
    REPORT(device.gpuDirectRDMAFlushWritesOptions);
    REPORT(device.gpuDirectRDMAWritesOrdering);
    REPORT(device.memoryPoolSupportedHandleTypes);
    REPORT(device.deferredMappingCudaArraySupported);
    REPORT(device.ipcEventSupported);
    REPORT(device.clusterLaunch);
    REPORT(device.unifiedFunctionPointers);
    REPORT(device.deviceNumaConfig);
    REPORT(device.deviceNumaId);
    REPORT(device.mpsEnabled);
    REPORT(device.hostNumaMultinodeIpcSupported);
}

}  // namespace

// Without the name, the identification, the place in the machine, and the memory.
void ask_about_runtime_device_properties() {
    const auto device = ASK(cudaGetDeviceProperties(0)).value;
    report_sizes(device);
    report_textures(device);
    report_features(device);
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cudaGetDeviceProperties(99));
    ASK(cudaGetDeviceProperties(-1));
}

}  // namespace answers
