// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual memory and several processes.
#include <cubind/sim/install.hpp>

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sanitizers.hpp"
#include "virtual_memory_test.hpp"

namespace cubind::testing {

namespace sim = cubind::sim;

namespace {

class SimSharedVirtualMemoryTest : public SimVirtualMemoryTest {};

TEST_F(SimSharedVirtualMemoryTest, IsSharedThroughAFileDescriptor) {
    CUmemAllocationProp properties = on_device();
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    const CUmemGenericAllocationHandle memory = cuMemCreate(granularity, &properties, 0).value;
    int descriptor = -1;
    const auto share = [&](CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type, unsigned long long flags) {
        return cuMemExportToShareableHandle(&descriptor, handle, type, flags).status;
    };
    EXPECT_EQ(share(memory, CU_MEM_HANDLE_TYPE_FABRIC, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(share(memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(share(create(granularity), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE)
        << "sharing was not requested";
    ASSERT_EQ(share(memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_SUCCESS);
    const auto import = [](int from) {
        return cuMemImportFromShareableHandle(reinterpret_cast<void*>(std::intptr_t{from}),
                                              CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    };
    auto [status, imported] = import(descriptor);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(close(descriptor), 0);
    EXPECT_NE(import(descriptor).status, CUDA_SUCCESS) << "the descriptor is closed";
    EXPECT_NE(import(-1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(reserve(granularity), granularity, 0, imported, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(imported).status, CUDA_SUCCESS);
}

TEST_F(SimSharedVirtualMemoryTest, IsSharedWithAnotherProcess) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    CUmemAllocationProp properties = on_device();
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    const CUmemGenericAllocationHandle memory = cuMemCreate(granularity, &properties, 0).value;
    const auto map = [](CUmemGenericAllocationHandle handle) {
        const CUdeviceptr address = reserve(granularity);
        if (cuMemMap(address, granularity, 0, handle, 0).status != CUDA_SUCCESS) return CUdeviceptr{0};
        return set_access(address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS ? address : CUdeviceptr{0};
    };
    const CUdeviceptr address = map(memory);
    ASSERT_EQ(cuMemsetD32(address, 7, granularity / 4).status, CUDA_SUCCESS);
    int descriptor = -1;
    ASSERT_EQ(cuMemExportToShareableHandle(&descriptor, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0).status,
              CUDA_SUCCESS);
    const auto child = [&] {
        alarm(60);
        sim::install();
        if (cuInit(0).status != CUDA_SUCCESS || cuCtxCreate_v2(0, 0).status != CUDA_SUCCESS) std::_Exit(1);
        const std::size_t before = free_memory();
        const auto [status, imported] = cuMemImportFromShareableHandle(reinterpret_cast<void*>(std::intptr_t{descriptor}),
                                                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        if (status != CUDA_SUCCESS || free_memory() != before) std::_Exit(2);
        if (cuMemGetAllocationPropertiesFromHandle(imported).value.requestedHandleTypes != properties.requestedHandleTypes)
            std::_Exit(3);
        const CUdeviceptr own_address = map(imported);
        int value = 0;
        if (own_address == 0 || cuMemcpyDtoH(&value, own_address + granularity - 4, 4).status != CUDA_SUCCESS) std::_Exit(4);
        if (value != 7 || cuMemsetD32(own_address, 8, 1).status != CUDA_SUCCESS) std::_Exit(5);
        std::_Exit(cuCtxSynchronize().status == CUDA_SUCCESS ? 0 : 6);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    EXPECT_EQ(close(descriptor), 0);
    int value = 0;
    ASSERT_EQ(cuMemcpyDtoH(&value, address, sizeof value).status, CUDA_SUCCESS);
    EXPECT_EQ(value, 8);
}

TEST_F(SimSharedVirtualMemoryTest, RejectsOtherFiles) {
    const auto import = [](int from) {
        return cuMemImportFromShareableHandle(reinterpret_cast<void*>(std::intptr_t{from}),
                                              CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
            .status;
    };
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    EXPECT_EQ(import(ends[0]), CUDA_ERROR_INVALID_VALUE);
    close(ends[0]);
    close(ends[1]);
    const int file = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_GE(file, 0);
    EXPECT_EQ(import(file), CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(ftruncate(file, 8192), 0);
    ASSERT_EQ(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), 0);
    EXPECT_EQ(import(file), CUDA_ERROR_INVALID_VALUE);
    close(file);
}

TEST_F(SimSharedVirtualMemoryTest, IsNotSharedWithChildProcesses) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    start_for_children();
    const auto map_new_memory = [] {
        const CUdeviceptr address = reserve(granularity);
        if (cuMemMap(address, granularity, 0, create(granularity), 0).status != CUDA_SUCCESS) return CUdeviceptr{0};
        return set_access(address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS ? address : CUdeviceptr{0};
    };
    const CUdeviceptr address = map_new_memory();
    ASSERT_NE(address, 0u);
    ASSERT_EQ(cuMemsetD32(address, 7, 1).status, CUDA_SUCCESS);
    const auto child = [&] {
        alarm(60);
        if (cuMemsetD32(address, 8, 1).status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(1);
        sim::install();
        if (cuInit(0).status != CUDA_SUCCESS || cuCtxCreate_v2(0, 0).status != CUDA_SUCCESS) std::_Exit(2);
        const CUdeviceptr own_address = map_new_memory();
        if (own_address == 0 || cuMemsetD32(own_address, 9, granularity / 4).status != CUDA_SUCCESS) std::_Exit(3);
        std::_Exit(0);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    int value = 0;
    ASSERT_EQ(cuMemcpyDtoH(&value, address, sizeof value).status, CUDA_SUCCESS);
    EXPECT_EQ(value, 7);
    EXPECT_DEATH(*reinterpret_cast<volatile int*>(address) = 8, "") << "the child has no memory at this address";
}

TEST_F(SimSharedVirtualMemoryTest, IsNotSharedWithChildrenOfAProcessThatFreedIt) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    start_for_children();
    ASSERT_EQ(cuMemRelease(create(granularity)).status, CUDA_SUCCESS);
    const auto child = [] {
        alarm(60);
        const CUdeviceptr own_address = reserve(granularity);
        if (cuMemMap(own_address, granularity, 0, create(granularity), 0).status != CUDA_SUCCESS) std::_Exit(1);
        if (set_access(own_address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) != CUDA_SUCCESS) std::_Exit(2);
        std::_Exit(cuMemsetD32(own_address, 9, granularity / 4).status == CUDA_SUCCESS ? 0 : 3);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    const CUdeviceptr address = reserve(granularity);
    ASSERT_EQ(cuMemMap(address, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
    ASSERT_EQ(set_access(address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
    int value = 0;
    ASSERT_EQ(cuMemcpyDtoH(&value, address, sizeof value).status, CUDA_SUCCESS);
    EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace cubind::testing
