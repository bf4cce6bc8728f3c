// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

TEST(CudartMemoryTest, AllocatesAndFrees) {
    EXPECT_EQ(cudaMalloc(0).value, nullptr);
    EXPECT_EQ(cudaMalloc(0).status, cudaSuccess);
    EXPECT_EQ(cudaFree(nullptr).status, cudaSuccess);
    EXPECT_EQ(cudaFreeHost(nullptr).status, cudaSuccess);
    EXPECT_EQ(cudaMalloc(std::size_t{1} << 60).status, cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError().status, cudaErrorMemoryAllocation);
    void* const memory = allocate(64);
    EXPECT_EQ(cudaFree(memory).status, cudaSuccess);
    EXPECT_EQ(cudaFree(memory).status, cudaErrorInvalidValue);
    int on_stack = 0;
    EXPECT_EQ(cudaFree(&on_stack).status, cudaErrorInvalidValue);
    const auto [status, free, total] = cudaMemGetInfo();
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_LE(free, total);
}

TEST(CudartMemoryTest, CopiesInEachDirection) {
    const std::vector<int> values{1, 2, 3, 4};
    void* const from = write(values);
    void* const to = allocate(16);
    EXPECT_EQ(cudaMemcpy(to, from, 16, cudaMemcpyDeviceToDevice).status, cudaSuccess);
    EXPECT_EQ(read<int>(to, 4), values);
    std::vector<int> host(4);
    EXPECT_EQ(cudaMemcpy(host.data(), from, 16, cudaMemcpyDefault).status, cudaSuccess);
    EXPECT_EQ(host, values);
    std::vector<int> other(4);
    EXPECT_EQ(cudaMemcpy(other.data(), host.data(), 16, cudaMemcpyHostToHost).status, cudaSuccess);
    EXPECT_EQ(other, values);
    EXPECT_EQ(cudaMemcpy(to, from, 16, cudaMemcpyKind{9}).status, cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault).status, cudaSuccess);
    EXPECT_EQ(cudaMemcpy(nullptr, from, 16, cudaMemcpyDeviceToDevice).status, cudaErrorInvalidValue);
}

TEST(CudartMemoryTest, CopiesInStreams) {
    const auto stream = cudaStreamCreate().value;
    std::vector<int> values{5, 6, 7}, seen(3);
    const auto [status, memory] = cudaMallocAsync(12, stream);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(memory, values.data(), 12, cudaMemcpyHostToDevice, stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(seen.data(), memory, 12, cudaMemcpyDeviceToHost, stream).status, cudaSuccess);
    EXPECT_EQ(cudaFreeAsync(memory, stream).status, cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream).status, cudaSuccess);
    EXPECT_EQ(seen, values);
    EXPECT_EQ(cudaFreeAsync(nullptr, stream).status, cudaSuccess);
}

TEST(CudartMemoryTest, CopiesInThePerThreadDefaultStream) {
    void* const memory = allocate(8);
    std::vector<int> values{1, 2}, seen(2);
    EXPECT_EQ(cudaMemcpyAsync_ptsz(memory, values.data(), 8, cudaMemcpyHostToDevice, nullptr).status, cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread).status, cudaSuccess);
    EXPECT_EQ(cudaMemcpy_ptds(seen.data(), memory, 8, cudaMemcpyDeviceToHost).status, cudaSuccess);
    EXPECT_EQ(seen, values);
}

TEST(CudartMemoryTest, Fills) {
    void* const memory = allocate(64);
    EXPECT_EQ(cudaMemset(memory, 1, 64).status, cudaSuccess);
    EXPECT_EQ(cudaMemset2D(memory, 16, 2, 4, 3).status, cudaSuccess);
    EXPECT_EQ(cudaMemset3D({memory, 8, 8, 4}, 3, {1, 2, 2}).status, cudaSuccess);
    const auto seen = read<unsigned char>(memory, 64);
    EXPECT_EQ(seen[0], 3) << "first slice";
    EXPECT_EQ(seen[1], 2);
    EXPECT_EQ(seen[8], 3) << "second row of the first slice";
    EXPECT_EQ(seen[16], 2);
    EXPECT_EQ(seen[32], 3) << "first row of the second slice";
    EXPECT_EQ(seen[40], 3);
    EXPECT_EQ(seen[20], 1);
    EXPECT_EQ(cudaMemset(memory, 0, 0).status, cudaSuccess);
    EXPECT_EQ(cudaMemset(nullptr, 0, 1).status, cudaErrorInvalidValue);
}

TEST(CudartMemoryTest, CopiesRowsAndBoxes) {
    const auto [status, memory, pitch] = cudaMallocPitch(12, 3);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_GE(pitch, 12u);
    const std::vector<int> values{1, 2, 3, 4, 5, 6, 7, 8, 9};
    EXPECT_EQ(cudaMemcpy2D(memory, pitch, values.data(), 12, 12, 3, cudaMemcpyHostToDevice).status, cudaSuccess);
    std::vector<int> column(3);
    EXPECT_EQ(cudaMemcpy2D(column.data(), 4, static_cast<char*>(memory) + 4, pitch, 4, 3, cudaMemcpyDeviceToHost).status,
              cudaSuccess);
    EXPECT_EQ(column, (std::vector<int>{2, 5, 8}));
    EXPECT_EQ(cudaMemcpy2D(memory, 4, values.data(), 12, 12, 3, cudaMemcpyHostToDevice).status, cudaErrorInvalidPitchValue);

    const auto [box_status, box] = cudaMalloc3D({8, 2, 2});
    ASSERT_EQ(box_status, cudaSuccess);
    EXPECT_EQ(box.ysize, 2u);
    std::vector<char> bytes(32);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {bytes.data(), 8, 8, 2};
    copy.dstPtr = box;
    copy.extent = {8, 2, 2};
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3D(&copy).status, cudaSuccess);
    std::vector<char> part(2);
    cudaMemcpy3DParms back{};
    back.srcPtr = box;
    back.srcPos = {3, 1, 0};
    back.dstPtr = {part.data(), 1, 1, 1};
    back.extent = {1, 1, 2};
    back.kind = cudaMemcpyDeviceToHost;
    EXPECT_EQ(cudaMemcpy3D(&back).status, cudaSuccess);
    EXPECT_EQ(part, (std::vector<char>{11, 27}));
    EXPECT_EQ(cudaMemcpy3D(nullptr).status, cudaErrorInvalidValue);
}

TEST(CudartMemoryTest, DescribesPointers) {
    void* const device = allocate(64);
    EXPECT_EQ(cudaPointerGetAttributes(device).value.type, cudaMemoryTypeDevice);
    EXPECT_EQ(cudaPointerGetAttributes(device).value.devicePointer, device);
    EXPECT_EQ(cudaPointerGetAttributes(device).value.hostPointer, nullptr);
    void* const host = cudaMallocHost(64).value;
    EXPECT_EQ(cudaPointerGetAttributes(host).value.type, cudaMemoryTypeHost);
    EXPECT_EQ(cudaPointerGetAttributes(host).value.hostPointer, host);
    void* const managed = cudaMallocManaged(64).value;
    EXPECT_EQ(cudaPointerGetAttributes(managed).value.type, cudaMemoryTypeManaged);
    EXPECT_EQ(cudaPointerGetAttributes(managed).value.hostPointer, managed);
    int on_stack = 0;
    const auto [status, attributes] = cudaPointerGetAttributes(&on_stack);
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
    EXPECT_EQ(attributes.device, cudaInvalidDeviceId);
    EXPECT_EQ(attributes.devicePointer, nullptr);
    EXPECT_EQ(attributes.hostPointer, &on_stack);
}

TEST(CudartMemoryTest, AllocatesAndRegistersHostMemory) {
    const auto [status, memory] = cudaHostAlloc(64, cudaHostAllocMapped | cudaHostAllocPortable);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaHostGetFlags(memory).value & cudaHostAllocMapped, static_cast<unsigned>(cudaHostAllocMapped));
    EXPECT_EQ(cudaHostGetDevicePointer(memory, 0).status, cudaSuccess);
    EXPECT_EQ(cudaFreeHost(memory).status, cudaSuccess);
    EXPECT_EQ(cudaHostAlloc(64, 0x100).status, cudaErrorInvalidValue);
    std::vector<char> own(8192);
    EXPECT_EQ(cudaHostRegister(own.data(), own.size(), cudaHostRegisterDefault).status, cudaSuccess);
    EXPECT_EQ(cudaHostRegister(own.data(), own.size(), cudaHostRegisterDefault).status, cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(cudaHostUnregister(own.data()).status, cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(own.data()).status, cudaErrorHostMemoryNotRegistered);
    constexpr std::size_t bytes = 8192;
    void* const memory_of_process = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_EQ(cudaHostRegister(memory_of_process, bytes, cudaHostRegisterDefault).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(memory_of_process, bytes, cudaHostRegisterReadOnly).status, cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(memory_of_process).status, cudaSuccess);
    ASSERT_EQ(munmap(memory_of_process, bytes), 0);
    EXPECT_EQ(cudaHostRegister(memory_of_process, bytes, cudaHostRegisterReadOnly).status, cudaErrorInvalidValue);
}

TEST(CudartMemoryTest, ManagesPools) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    const auto [status, pool] = cudaMemPoolCreate(&properties);
    ASSERT_EQ(status, cudaSuccess);
    unsigned long long threshold = 1 << 20;
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold).status, cudaSuccess);
    threshold = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold).status, cudaSuccess);
    EXPECT_EQ(threshold, 1u << 20);
    const auto [allocated, memory] = cudaMallocFromPoolAsync(64, pool, nullptr);
    EXPECT_EQ(allocated, cudaSuccess);
    EXPECT_EQ(cudaFreeAsync(memory, nullptr).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
    EXPECT_EQ(cudaMemPoolTrimTo(pool, 0).status, cudaSuccess);
    EXPECT_EQ(cudaMemPoolDestroy(pool).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(0).value, cudaDeviceGetMemPool(0).value);
}

TEST(CudartMemoryTest, AdvisesAndPrefetchesManagedMemory) {
    auto* const memory = static_cast<int*>(cudaMallocManaged(64).value);
    memory[0] = 7;
    const cudaMemLocation device{cudaMemLocationTypeDevice, {0}};
    EXPECT_EQ(cudaMemAdvise(memory, 64, cudaMemAdviseSetPreferredLocation, device).status, cudaSuccess);
    EXPECT_EQ(cudaMemPrefetchAsync(memory, 64, device, 0, nullptr).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
    int location = -5;
    EXPECT_EQ(cudaMemRangeGetAttribute(&location, sizeof location, cudaMemRangeAttributePreferredLocation, memory, 64).status,
              cudaSuccess);
    EXPECT_EQ(location, 0);
    EXPECT_EQ(memory[0], 7);
    EXPECT_EQ(cudaFree(memory).status, cudaSuccess);
}

}  // namespace
}  // namespace cubind::testing
