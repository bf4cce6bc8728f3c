// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sim_test.hpp"

namespace cubind::testing {

class SimVirtualMemoryTest : public SimTest {
protected:
    static constexpr std::size_t granularity = std::size_t{2} << 20;

    static CUmemAllocationProp on_device(int ordinal = 0) {
        CUmemAllocationProp properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = ordinal;
        return properties;
    }
    static CUmemGenericAllocationHandle create(std::size_t bytes) {
        const CUmemAllocationProp properties = on_device();
        auto [status, handle] = cuMemCreate(bytes, &properties, 0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return handle;
    }
    static CUdeviceptr reserve(std::size_t bytes) {
        auto [status, address] = cuMemAddressReserve(bytes, 0, 0, 0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return address;
    }
    static CUresult set_access(CUdeviceptr address, std::size_t bytes, CUmemAccess_flags flags, int ordinal = 0) {
        CUmemAccessDesc access{};
        access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access.location.id = ordinal;
        access.flags = flags;
        return cuMemSetAccess(address, bytes, &access, 1).status;
    }
    static std::size_t free_memory() { return cuMemGetInfo().value1; }
};

}  // namespace cubind::testing
