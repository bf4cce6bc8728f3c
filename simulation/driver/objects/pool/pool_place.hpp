// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <compare>

#include "objects/device/device.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The type and the location of the memory of a pool.
struct PoolPlace {
    driver::CUmemAllocationType type = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    driver::CUmemLocationType location = driver::CU_MEM_LOCATION_TYPE_DEVICE;
    int id = 0;  ///< 0 for locations that have no number

    auto operator<=>(const PoolPlace&) const = default;
};

/// Returns the place, with 0 in place of a number that the driver ignores.
inline PoolPlace make_place(driver::CUmemAllocationType type, const driver::CUmemLocation& location) noexcept {
    const bool has_id =
        location.type == driver::CU_MEM_LOCATION_TYPE_DEVICE || location.type == driver::CU_MEM_LOCATION_TYPE_HOST_NUMA;
    return {type, location.type, has_id ? location.id : 0};
}

/// Checks whether the place exists on a machine with these devices. HOST_NUMA_CURRENT and NONE exist for managed memory only.
bool exists(const PoolPlace& place, const Devices& devices) noexcept;

/// Returns the device of a pool in a place, which must exist. Host memory belongs to the first device, for attributes that name a
/// device.
Device& device_at(const PoolPlace& place, const Devices& devices) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
