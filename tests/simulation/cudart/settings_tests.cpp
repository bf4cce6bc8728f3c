// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <unistd.h>

#include "registered_code.hpp"

namespace cubind::testing {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(CudartSettingsTest, KeepsLimitsAndConfigurations) {
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 * mebibyte).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetLimit(cudaLimitPrintfFifoSize).value, 4 * mebibyte);
    EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetCacheConfig().status, cudaSuccess);
    const auto [status, least, greatest] = cudaDeviceGetStreamPriorityRange();
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_GT(least, greatest);
    EXPECT_EQ(cudaCtxResetPersistingL2Cache().status, cudaSuccess);
    const cudaChannelFormatDesc floats{32, 0, 0, 0, cudaChannelFormatKindFloat}, wrong{7, 0, 0, 0, cudaChannelFormatKindFloat};
    EXPECT_GT(cudaDeviceGetTexture1DLinearMaxWidth(&floats, 0).value, 0u);
    EXPECT_EQ(cudaDeviceGetTexture1DLinearMaxWidth(&wrong, 0).status, cudaErrorInvalidChannelDescriptor);
    EXPECT_EQ(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, 0).status, cudaErrorInvalidValue);
}

TEST(CudartSettingsTest, TellsWhichAtomicOperationsAreNative) {
    const cudaAtomicOperation operation = cudaAtomicOperationIntegerAdd;
    unsigned int capabilities = 0;
    EXPECT_EQ(cudaDeviceGetHostAtomicCapabilities(&capabilities, &operation, 1, 0).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetP2PAtomicCapabilities(&capabilities, &operation, 1, 0, 1).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetP2PAtomicCapabilities(&capabilities, &operation, 1, 0, 9).status, cudaErrorInvalidDevice);
}

TEST(CudartOccupancyTest, ComputesBlocksAndClusters) {
    const RegisteredCode code;
    const int blocks = cudaOccupancyMaxActiveBlocksPerMultiprocessor(code.scale, 256, 0).value;
    EXPECT_GT(blocks, 0);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(code.scale, 256, 0, cudaOccupancyDefault).value, blocks);
    EXPECT_GT(cudaOccupancyAvailableDynamicSMemPerBlock(code.scale, 1, 256).value, 0u);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(code.missing, 256, 0).status, cudaErrorInvalidDeviceFunction);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {2, 1, 1};
    const cudaLaunchConfig_t config{{8, 1, 1}, {256, 1, 1}, 0, nullptr, &cluster, 1};
    EXPECT_GE(cudaOccupancyMaxPotentialClusterSize(code.scale, &config).value, 2);
    EXPECT_GT(cudaOccupancyMaxActiveClusters(code.scale, &config).value, 0);
    EXPECT_EQ(cudaOccupancyMaxActiveClusters(code.scale, nullptr).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(code.scale, nullptr).status, cudaErrorInvalidValue);
}

TEST(CudartPoolTest, SharesAPoolAndItsMemory) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    properties.location = {cudaMemLocationTypeDevice, {0}};
    const auto [status, pool] = cudaMemPoolCreate(&properties);
    ASSERT_EQ(status, cudaSuccess);
    std::uint64_t threshold = mebibyte;
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold).status, cudaSuccess);
    threshold = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold).status, cudaSuccess);
    EXPECT_EQ(threshold, mebibyte);
    cudaMemLocation peer{cudaMemLocationTypeDevice, {1}};
    const cudaMemAccessDesc access{peer, cudaMemAccessFlagsProtReadWrite};
    EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1).status, cudaSuccess);
    EXPECT_EQ(cudaMemPoolGetAccess(pool, &peer).value, cudaMemAccessFlagsProtReadWrite);
    void* const memory = cudaMallocFromPoolAsync(64, pool, nullptr).value;
    int descriptor = -1;
    ASSERT_EQ(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0).status, cudaSuccess);
    void* const handle = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
    const auto [imported, other] = cudaMemPoolImportFromShareableHandle(handle, cudaMemHandleTypePosixFileDescriptor, 0);
    EXPECT_EQ(imported, cudaSuccess);
    ::close(descriptor);
    auto pointer = cudaMemPoolExportPointer(memory).value;
    const auto [mapped, address] = cudaMemPoolImportPointer(other, &pointer);
    ASSERT_EQ(mapped, cudaSuccess);
    EXPECT_EQ(cudaMemset(memory, 7, 4).status, cudaSuccess);
    EXPECT_EQ(read<int>(address, 1)[0], 0x07070707);
    EXPECT_EQ(cudaFree(address).status, cudaSuccess);
    EXPECT_EQ(cudaFree(memory).status, cudaSuccess);
    EXPECT_EQ(cudaMemPoolTrimTo(pool, 0).status, cudaSuccess);
    EXPECT_EQ(cudaMemPoolDestroy(other).status, cudaSuccess);
    EXPECT_EQ(cudaMemPoolDestroy(pool).status, cudaSuccess);
}

TEST(CudartPoolTest, SelectsThePoolOfADevice) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, {0}};
    const cudaMemPool_t pool = cudaMemPoolCreate(&properties).value;
    const cudaMemPool_t before = cudaDeviceGetDefaultMemPool(0).value;
    EXPECT_EQ(cudaDeviceGetMemPool(0).value, before);
    EXPECT_EQ(cudaDeviceSetMemPool(0, pool).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetMemPool(0).value, pool);
    cudaMemLocation device{cudaMemLocationTypeDevice, {0}};
    EXPECT_EQ(cudaMemGetMemPool(&device, cudaMemAllocationTypePinned).value, pool);
    EXPECT_EQ(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, before).status, cudaSuccess);
    EXPECT_EQ(cudaMemGetDefaultMemPool(&device, cudaMemAllocationTypePinned).value, before);
    EXPECT_EQ(cudaDeviceGetMemPool(0).value, before);
}

TEST(CudartIpcTest, RefusesHandlesOfThisProcess) {
    void* const memory = allocate(64);
    const auto [status, handle] = cudaIpcGetMemHandle(memory);
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_NE(cudaIpcOpenMemHandle(handle, cudaIpcMemLazyEnablePeerAccess).status, cudaSuccess);
    EXPECT_EQ(cudaIpcCloseMemHandle(memory).status, cudaErrorInvalidValue);
    const cudaEvent_t event = cudaEventCreateWithFlags(cudaEventInterprocess | cudaEventDisableTiming).value;
    const auto [exported, of_event] = cudaIpcGetEventHandle(event);
    EXPECT_EQ(exported, cudaSuccess);
    EXPECT_NE(cudaIpcOpenEventHandle(of_event).status, cudaSuccess);
}

TEST(CudartManagedTest, MovesMemory) {
    void* memory = cudaMallocManaged(mebibyte, cudaMemAttachGlobal).value;
    const cudaStream_t stream = cudaStreamCreate().value;
    cudaMemLocation device{cudaMemLocationTypeDevice, {0}};
    EXPECT_EQ(cudaMemAdvise(memory, mebibyte, cudaMemAdviseSetPreferredLocation, device).status, cudaSuccess);
    int location = -1;
    EXPECT_EQ(cudaMemRangeGetAttribute(&location, 4, cudaMemRangeAttributePreferredLocation, memory, mebibyte).status,
              cudaSuccess);
    EXPECT_EQ(location, 0);
    EXPECT_EQ(cudaMemPrefetchAsync(memory, mebibyte, device, 0, stream).status, cudaSuccess);
    std::size_t size = mebibyte, index = 0;
    EXPECT_EQ(cudaMemPrefetchBatchAsync(&memory, &size, 1, &device, &index, 1, 0, stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemDiscardBatchAsync(&memory, &size, 1, 0, stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemDiscardAndPrefetchBatchAsync(&memory, &size, 1, &device, &index, 1, 0, stream).status, cudaSuccess);
    EXPECT_EQ(cudaStreamAttachMemAsync(stream, memory, 0, cudaMemAttachSingle).status, cudaSuccess);
    int prefetched = -1, preferred = -1;
    void* values[] = {&prefetched, &preferred};
    std::size_t sizes[] = {4, 4};
    cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributePreferredLocation};
    EXPECT_EQ(cudaStreamSynchronize(stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemRangeGetAttributes(values, sizes, attributes, 2, memory, mebibyte).status, cudaSuccess);
    EXPECT_EQ(prefetched, 0);
    EXPECT_EQ(preferred, 0);
    EXPECT_EQ(cudaFree(memory).status, cudaSuccess);
}

TEST(CudartCaptureTest, CapturesToAGraphAndTellsItsState) {
    const cudaStream_t stream = cudaStreamCreate().value;
    const cudaGraph_t graph = cudaGraphCreate(0).value;
    cudaGraphNode_t first = cudaGraphAddEmptyNode(graph, nullptr, 0).value;
    ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeRelaxed).status, cudaSuccess);
    const auto info = cudaStreamGetCaptureInfo(stream);
    EXPECT_EQ(info.status, cudaSuccess);
    EXPECT_EQ(info.value1, cudaStreamCaptureStatusActive);
    EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies).status,
              cudaSuccess);
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureModeRelaxed).value, cudaStreamCaptureModeGlobal);
    EXPECT_EQ(cudaStreamEndCapture(stream).value, graph);
}

TEST(CudartLibraryTest, ListsWhatCodeContains) {
    const std::string ptx = RegisteredCode::ptx();
    const auto [status, library] = cudaLibraryLoadData(ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaLibraryGetKernelCount(library).value, 1u);
    cudaKernel_t kernel = nullptr;
    EXPECT_EQ(cudaLibraryEnumerateKernels(&kernel, 1, library).status, cudaSuccess);
    EXPECT_EQ(cudaLibraryGetKernel(library, "scale").value, kernel);
    EXPECT_EQ(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0).status, cudaSuccess);
    const auto [found, variable, size] = cudaLibraryGetGlobal(library, "launches");
    EXPECT_EQ(found, cudaSuccess);
    EXPECT_NE(variable, nullptr);
    EXPECT_EQ(size, 4u);
    EXPECT_EQ(cudaLibraryGetManaged(library, "nothing").status, cudaErrorSymbolNotFound);
    EXPECT_EQ(cudaLibraryGetUnifiedFunction(library, "nothing").status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaLibraryLoadFromFile("/nowhere", nullptr, nullptr, 0, nullptr, nullptr, 0).status, cudaErrorFileNotFound);
    EXPECT_EQ(cudaLibraryUnload(library).status, cudaSuccess);
}

}  // namespace
}  // namespace cubind::testing
