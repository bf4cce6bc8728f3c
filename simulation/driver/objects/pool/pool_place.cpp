// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/pool/pool_place.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

bool exists(const PoolPlace& place, const Devices& devices) noexcept {
    const bool is_managed = place.type == CU_MEM_ALLOCATION_TYPE_MANAGED;
    switch (place.location) {
        case CU_MEM_LOCATION_TYPE_DEVICE:
            return find_device(devices, place.id) != nullptr;
        case CU_MEM_LOCATION_TYPE_HOST:
            return true;
        case CU_MEM_LOCATION_TYPE_HOST_NUMA:
            return place.id == 0;  // the only NUMA node
        case CU_MEM_LOCATION_TYPE_NONE:
        case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
            return is_managed;
        default:
            return false;
    }
}

Device& device_at(const PoolPlace& place, const Devices& devices) noexcept {
    return *find_device(devices, place.location == CU_MEM_LOCATION_TYPE_DEVICE ? place.id : 0);
}

}  // namespace CUBIND_NAMESPACE::sim
