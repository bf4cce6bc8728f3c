// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <sys/mman.h>

#include "sim_test.hpp"

// The statuses are those of an H200 (driver 580.159.04).
namespace cubind::testing {
namespace {

constexpr std::size_t page = 4096;

/// Pages of the process, which a test unmaps or protects.
class Pages {
public:
    explicit Pages(std::size_t count, int rights = PROT_READ | PROT_WRITE)
        : bytes(count * page), begin(static_cast<char*>(mmap(nullptr, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { munmap(begin, bytes); }

    CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(begin); }
    /// Protects the pages from this one on.
    void protect_from(std::size_t first, int rights) {
        EXPECT_EQ(mprotect(begin + first * page, bytes - first * page, rights), 0);
    }

    const std::size_t bytes;
    char* const begin;
};

class SimHostRegistrationTest : public SimTest {
protected:
    static CUresult add(const Pages& pages, unsigned flags = 0) {
        return cuMemHostRegister(pages.begin, pages.bytes, flags).status;
    }
};

constexpr unsigned every_flag[] = {0, CU_MEMHOSTREGISTER_PORTABLE, CU_MEMHOSTREGISTER_DEVICEMAP, CU_MEMHOSTREGISTER_READ_ONLY};

TEST_F(SimHostRegistrationTest, RefusesMemoryThatIsNotMapped) {
    Pages pages(4);
    ASSERT_EQ(munmap(pages.begin + 2 * page, 2 * page), 0);
    for (const unsigned flags : every_flag) {
        EXPECT_EQ(add(pages, flags), CUDA_ERROR_INVALID_VALUE) << flags;
        EXPECT_EQ(cuMemHostRegister(pages.begin + 2 * page, page, flags).status, CUDA_ERROR_INVALID_VALUE) << flags;
        EXPECT_EQ(cuMemHostRegister(pages.begin + 2 * page - 50, 51, flags).status, CUDA_ERROR_INVALID_VALUE) << flags;
    }
    EXPECT_EQ(cuMemHostRegister(pages.begin + 2 * page - 50, 50, 0).status, CUDA_SUCCESS);
}

TEST_F(SimHostRegistrationTest, RefusesMemoryThatCannotBeRead) {
    Pages pages(4);
    pages.protect_from(3, PROT_NONE);
    for (const unsigned flags : every_flag) EXPECT_EQ(add(pages, flags), CUDA_ERROR_INVALID_VALUE) << flags;
}

TEST_F(SimHostRegistrationTest, RefusesAllAddresses) {
    const auto address = [](std::uintptr_t value) { return reinterpret_cast<void*>(value); };
    for (const unsigned flags : every_flag) {
        EXPECT_EQ(cuMemHostRegister(address(page), 0x7ffffffff000, flags).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemHostRegister(address(page), ~std::size_t{page}, flags).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemHostRegister(address(~std::uintptr_t{page}), page, flags).status, CUDA_ERROR_INVALID_VALUE);
    }
    Pages pages(1);
    EXPECT_EQ(cuMemsetD8(pages.address(), 1, page).status, CUDA_ERROR_INVALID_VALUE) << "no memory of a device";
}

TEST_F(SimHostRegistrationTest, RefusesMemoryOfTheDriver) {
    const CUdeviceptr memory = allocate(2 * page);
    EXPECT_EQ(cuMemHostRegister(reinterpret_cast<void*>(memory), page, 0).status, CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemHostRegister(reinterpret_cast<void*>(memory), page, 0).status, CUDA_ERROR_INVALID_VALUE) << "freed memory";
    void* const reserved = reinterpret_cast<void*>(cuMemAddressReserve(1 << 21, 0, 0, 0).value);
    EXPECT_EQ(cuMemHostRegister(reserved, page, 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimHostRegistrationTest, RequiresAFlagForMemoryThatCannotBeWritten) {
    Pages pages(4);
    pages.protect_from(3, PROT_READ);
    EXPECT_EQ(add(pages), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(add(pages, CU_MEMHOSTREGISTER_READ_ONLY), CUDA_SUCCESS);
}

TEST_F(SimHostRegistrationTest, RefusesMemoryThatIsNoMemoryOfAnotherDevice) {
    EXPECT_EQ(add(Pages(1), CU_MEMHOSTREGISTER_IOMEMORY), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimHostRegistrationTest, ReportsAnOverlapBeforeOtherMistakes) {
    Pages pages(2);
    ASSERT_EQ(munmap(pages.begin + page, page), 0);
    ASSERT_EQ(cuMemHostRegister(pages.begin, 100, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(add(pages), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    EXPECT_EQ(cuMemHostUnregister(pages.begin).status, CUDA_SUCCESS);
    EXPECT_EQ(add(pages), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimHostRegistrationTest, KeepsDevicesFromWritingReadOnlyMemory) {
    for (const int rights : {PROT_READ, PROT_READ | PROT_WRITE}) {
        const Pages pages(1, rights);
        ASSERT_EQ(add(pages, CU_MEMHOSTREGISTER_READ_ONLY), CUDA_SUCCESS);
        EXPECT_EQ(cuMemsetD8(pages.address(), 1, page).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemcpy(pages.address(), allocate(page), page).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemcpyDtoH(pages.begin, allocate(page), page).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemcpy(allocate(page), pages.address(), page).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemHostUnregister(pages.begin).status, CUDA_SUCCESS);
    }
}

TEST_F(SimHostRegistrationTest, KeepsKernelsFromWritingReadOnlyMemory) {
    constexpr const char* ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from) {
    .reg .b64 %to, %from;
    .reg .b32 %value;
    ld.param.u64 %to, [to];
    ld.param.u64 %from, [from];
    ld.global.u32 %value, [%from];
    st.global.u32 [%to], %value;
    ret;
})";
    const CUfunction kernel = cuModuleGetFunction(cuModuleLoadData(ptx).value, "copy").value;
    const auto copy = [&](CUdeviceptr to, CUdeviceptr from) {
        void* parameters[] = {&to, &from};
        EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr).status, CUDA_SUCCESS);
        return cuCtxSynchronize().status;
    };
    const Pages pages(1, PROT_READ);
    ASSERT_EQ(add(pages, CU_MEMHOSTREGISTER_READ_ONLY), CUDA_SUCCESS);
    EXPECT_EQ(copy(allocate(page), pages.address()), CUDA_SUCCESS);
    EXPECT_EQ(copy(pages.address(), allocate(page)), CUDA_ERROR_ILLEGAL_ADDRESS);
}

}  // namespace
}  // namespace cubind::testing
