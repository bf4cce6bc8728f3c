// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/default_pools.hpp"

#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

bool exists(const PoolPlace& place) noexcept {
    const bool is_managed = place.type == CU_MEM_ALLOCATION_TYPE_MANAGED;
    switch (place.location) {
        case CU_MEM_LOCATION_TYPE_DEVICE:
            return find_device(place.id) != nullptr;
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

DefaultPools::Pair& DefaultPools::pair(const PoolPlace& place) {
    const auto found = pairs_.find(place);
    if (found != pairs_.end()) return found->second;
    const auto pool = add_new(machine().pools, place, true);
    return pairs_.emplace(place, Pair{pool, pool}).first->second;
}

}  // namespace CUBIND_NAMESPACE::sim
