// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/memory_location.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

MemoryLocation::MemoryLocation(Device device) noexcept : type_(driver::CU_MEM_LOCATION_TYPE_DEVICE), id_(device.ordinal()) {}

MemoryLocation::MemoryLocation(Host host)
    : type_(host.is_numa_current ? driver::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
            : host.numa_id       ? driver::CU_MEM_LOCATION_TYPE_HOST_NUMA
                                 : driver::CU_MEM_LOCATION_TYPE_HOST),
      id_(host.numa_id.value_or(0)) {
    if (host.is_numa_current && host.numa_id) {
        detail::throw_misuse("a Host has both is_numa_current and numa_id ", *host.numa_id, ": one location has one NUMA node");
    }
}

MemoryLocation::MemoryLocation(const driver::CUmemLocation& native) : type_(native.type), id_(native.id) {
    switch (native.type) {
        case driver::CU_MEM_LOCATION_TYPE_DEVICE:
        case driver::CU_MEM_LOCATION_TYPE_HOST_NUMA:
            return;
        case driver::CU_MEM_LOCATION_TYPE_HOST:
        case driver::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
            id_ = 0;
            return;
        default:
            detail::throw_misuse("a location of type ", static_cast<int>(native.type),
                                 " is not supported: memory is on a device (1) or the host (2, 3, 4)");
    }
}

std::optional<Device> MemoryLocation::device() const {
    if (type_ != driver::CU_MEM_LOCATION_TYPE_DEVICE) return std::nullopt;
    return Device(id_);
}

std::optional<Host> MemoryLocation::host() const noexcept {
    if (type_ == driver::CU_MEM_LOCATION_TYPE_DEVICE) return std::nullopt;
    if (type_ == driver::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) return Host::numa_current();
    return type_ == driver::CU_MEM_LOCATION_TYPE_HOST_NUMA ? Host{id_} : Host{};
}

driver::CUmemLocation MemoryLocation::native() const noexcept {
    driver::CUmemLocation location{};
    location.type = type_;
    location.id = id_;
    return location;
}

}  // namespace CUBIND_NAMESPACE
