// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitizers.hpp"
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

constexpr auto posix = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

class SimPoolSharingTest : public SimTest {
protected:
    static CUmemoryPool create(CUmemAllocationHandleType types = posix,
                               CUmemLocationType location = CU_MEM_LOCATION_TYPE_DEVICE) {
        CUmemPoolProps properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.handleTypes = types;
        properties.location.type = location;
        return cuMemPoolCreate(&properties).value;
    }
    static int shared(CUmemoryPool pool) {
        int descriptor = -1;
        EXPECT_EQ(cuMemPoolExportToShareableHandle(&descriptor, pool, posix, 0).status, CUDA_SUCCESS);
        return descriptor;
    }
    static auto import(int descriptor, CUmemAllocationHandleType type = posix, unsigned long long flags = 0) {
        return cuMemPoolImportFromShareableHandle(reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)), type, flags);
    }
    static int value_at(CUdeviceptr address) {
        int value = 0;
        EXPECT_EQ(cuMemcpyDtoH(&value, address, sizeof value).status, CUDA_SUCCESS);
        return value;
    }
    static cuuint64_t attribute(CUmemoryPool pool, CUmemPool_attribute which) {
        cuuint64_t value = 0;
        EXPECT_EQ(cuMemPoolGetAttribute(pool, which, &value).status, CUDA_SUCCESS);
        return value;
    }
};

TEST_F(SimPoolSharingTest, MapsMemoryOfAnImportedPool) {
    const CUmemoryPool pool = create();
    const CUdeviceptr memory = cuMemAllocFromPoolAsync(5000, pool, nullptr).value;
    const CUdeviceptr next = cuMemAllocFromPoolAsync(4, pool, nullptr).value;
    ASSERT_EQ(cuMemsetD32(memory, 7, 1250).status, CUDA_SUCCESS);
    const std::size_t free_before = cuMemGetInfo().value1;

    const int descriptor = shared(pool);
    const CUmemoryPool imported = import(descriptor).value;
    close(descriptor);
    EXPECT_NE(imported, pool);
    CUmemPoolPtrExportData data = cuMemPoolExportPointer(memory).value;
    CUmemPoolPtrExportData other_data = cuMemPoolExportPointer(next).value;
    const auto [status, mapped] = cuMemPoolImportPointer(imported, &data);
    EXPECT_EQ(status, CUDA_SUCCESS);
    const CUdeviceptr other_mapped = cuMemPoolImportPointer(imported, &other_data).value;
    EXPECT_NE(mapped, memory);
    EXPECT_NE(mapped, other_mapped);
    EXPECT_EQ(value_at(mapped + 4996), 7);
    EXPECT_EQ(cuMemPoolImportPointer(imported, &data).value, mapped) << "the same address again";
    EXPECT_EQ(attribute(imported, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 5004u);
    EXPECT_EQ(cuMemGetInfo().value1, free_before) << "imported memory is no memory of this process";
    ASSERT_EQ(cuMemsetD32(other_mapped, 9, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(value_at(next), 9);

    EXPECT_EQ(cuMemFree(mapped).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(mapped).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemFreeAsync(other_mapped, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolDestroy(imported).status, CUDA_SUCCESS);
    EXPECT_EQ(value_at(memory), 7);
    EXPECT_EQ(cuMemPoolDestroy(pool).status, CUDA_SUCCESS);
    EXPECT_EQ(value_at(memory), 7) << "the pool exists as long as its memory";
}

TEST_F(SimPoolSharingTest, RejectsWhatCannotBeShared) {
    const CUmemoryPool pool = create();
    const CUmemoryPool private_pool = create(CU_MEM_HANDLE_TYPE_NONE);
    int descriptor = -1;
    EXPECT_EQ(cuMemPoolExportToShareableHandle(&descriptor, private_pool, posix, 0).status, CUDA_ERROR_INVALID_VALUE);
    const CUmemoryPool standard = cuDeviceGetDefaultMemPool(0).value;
    EXPECT_EQ(cuMemPoolExportToShareableHandle(&descriptor, standard, posix, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPoolExportToShareableHandle(nullptr, pool, posix, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPoolExportToShareableHandle(&descriptor, pool, posix, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPoolExportToShareableHandle(&descriptor, pool, CU_MEM_HANDLE_TYPE_WIN32, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(import(9999).status, CUDA_ERROR_UNKNOWN) << "not open";
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    EXPECT_EQ(import(null).status, CUDA_ERROR_INVALID_VALUE);
    close(null);
    descriptor = shared(pool);
    EXPECT_EQ(import(descriptor, posix, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(import(descriptor, CU_MEM_HANDLE_TYPE_WIN32).status, CUDA_ERROR_INVALID_VALUE);
    const CUmemoryPool imported = import(descriptor).value;
    close(descriptor);

    const CUdeviceptr memory = cuMemAllocFromPoolAsync(64, pool, nullptr).value;
    EXPECT_EQ(cuMemPoolExportPointer(memory + 8).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPoolExportPointer(allocate(64)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPoolExportPointer(0).status, CUDA_ERROR_INVALID_VALUE);
    CUmemPoolPtrExportData data = cuMemPoolExportPointer(memory).value;
    EXPECT_EQ(cuMemPoolImportPointer(pool, &data).status, CUDA_ERROR_INVALID_VALUE) << "the pool was not imported";
    EXPECT_EQ(cuMemPoolImportPointer(imported, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    CUmemPoolPtrExportData wrong{};
    EXPECT_EQ(cuMemPoolImportPointer(imported, &wrong).status, CUDA_ERROR_INVALID_VALUE);
    const CUmemoryPool another = create();
    const CUdeviceptr memory_of_another = cuMemAllocFromPoolAsync(64, another, nullptr).value;
    EXPECT_EQ(cuMemPoolExportPointer(memory_of_another).status, CUDA_ERROR_INVALID_VALUE) << "its pool was not exported";
    close(shared(another));
    wrong = cuMemPoolExportPointer(memory_of_another).value;
    EXPECT_EQ(cuMemPoolImportPointer(imported, &wrong).status, CUDA_ERROR_INVALID_VALUE) << "memory of another pool";

    EXPECT_EQ(cuMemAllocFromPoolAsync(64, imported, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceSetMemPool(0, imported).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPoolExportToShareableHandle(&descriptor, imported, posix, 0).status, CUDA_ERROR_INVALID_VALUE);
    const CUdeviceptr mapped = cuMemPoolImportPointer(imported, &data).value;
    EXPECT_EQ(cuMemPoolExportPointer(mapped).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemFree(mapped).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolImportPointer(imported, &data).status, CUDA_ERROR_INVALID_VALUE) << "after it was freed";
    const CUdeviceptr reused = cuMemAllocFromPoolAsync(64, pool, nullptr).value;
    EXPECT_EQ(cuMemPoolImportPointer(imported, &data).status, CUDA_ERROR_INVALID_VALUE) << "the place has other memory";
    EXPECT_EQ(value_at(reused), 0);
}

TEST_F(SimPoolSharingTest, RejectsASizeThatAnotherProcessHasForged) {
    const CUmemoryPool pool = create();
    const CUdeviceptr memory = cuMemAllocFromPoolAsync(64, pool, nullptr).value;
    const int descriptor = shared(pool);
    const CUmemoryPool imported = import(descriptor).value;
    CUmemPoolPtrExportData data = cuMemPoolExportPointer(memory).value;

    std::uint64_t words[6];  // the last three are the offset, the size and the id, which the page before the memory repeats
    std::memcpy(words, &data, sizeof words);
    ASSERT_EQ(words[4], 64u);
    for (const std::uint64_t size : {std::uint64_t{1} << 40, ~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{4097}}) {
        words[4] = size;
        ASSERT_EQ(pwrite(descriptor, &words[3], 24, static_cast<off_t>(words[3] - 4096)), 24);
        std::memcpy(&data, words, sizeof words);
        EXPECT_EQ(cuMemPoolImportPointer(imported, &data).status, CUDA_ERROR_INVALID_VALUE) << size;
    }
    close(descriptor);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
}

TEST_F(SimPoolSharingTest, MapsHostMemoryOnce) {
    const CUmemoryPool pool = create(posix, CU_MEM_LOCATION_TYPE_HOST_NUMA);
    const int descriptor = shared(pool);
    const CUmemoryPool imported = import(descriptor).value;
    close(descriptor);
    const CUdeviceptr memory = cuMemAllocFromPoolAsync(64, pool, nullptr).value;
    CUmemPoolPtrExportData data = cuMemPoolExportPointer(memory).value;
    const CUdeviceptr mapped = cuMemPoolImportPointer(imported, &data).value;
    *reinterpret_cast<int*>(mapped) = 6;
    EXPECT_EQ(*reinterpret_cast<int*>(memory), 6);
    EXPECT_EQ(cuMemPoolImportPointer(imported, &data).status, CUDA_ERROR_ALREADY_MAPPED);
}

TEST_F(SimPoolSharingTest, EndsWithTheMemoryOfTheDevice) {
    const CUmemoryPool pool = create();
    EXPECT_EQ(cuMemAllocFromPoolAsync(std::size_t{2} << 30, pool, nullptr).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAllocFromPoolAsync(std::size_t{1} << 29, pool, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAllocFromPoolAsync((std::size_t{1} << 29) + 1, pool, nullptr).status, CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(SimPoolSharingTest, CannotBeUsedByAChildOfFork) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    start_for_children();
    const CUmemoryPool pool = create();
    const pid_t child = fork();
    if (child == 0) _exit(cuMemPoolTrimTo(pool, 0).status == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "both processes would share the file of the pool";
}

}  // namespace
}  // namespace cubind::testing
