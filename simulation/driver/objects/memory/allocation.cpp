// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/memory/allocation.hpp"

#include "objects/memory/address_space.hpp"
#include "objects/pool/pool.hpp"

namespace CUBIND_NAMESPACE::sim {

Allocation::~Allocation() {
    const bool has_own_addresses = kind != MemoryKind::registered && kind != MemoryKind::mapped && address_owner == nullptr;
    if (has_own_addresses && base != 0) AddressSpace::instance().free(base, size);
    if (pool != nullptr) {
        pool->free(charged);
    } else if (charged != 0) {
        device->discharge(charged);
    }
}

}  // namespace CUBIND_NAMESPACE::sim
