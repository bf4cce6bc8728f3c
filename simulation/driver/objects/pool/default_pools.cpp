// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/pool/default_pools.hpp"

namespace CUBIND_NAMESPACE::sim {

DefaultPools::Pair& DefaultPools::pair(const PoolPlace& place) {
    const auto found = pairs_.find(place);
    if (found != pairs_.end()) return found->second;
    const auto pool = add_new(pools_, place, device_at(place, devices_), true);
    return pairs_.emplace(place, Pair{pool, pool}).first->second;
}

}  // namespace CUBIND_NAMESPACE::sim
