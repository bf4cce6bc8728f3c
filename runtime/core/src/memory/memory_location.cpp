// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/memory_location.hpp>

#include <limits>

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

MemoryLocation::MemoryLocation(LocalityDomain domain)
    : type_(driver::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN), id_(domain.device.ordinal()), domain_(domain.id) {
    constexpr int limit = std::numeric_limits<unsigned char>::max();  // the driver's struct has a byte for each number
    if (domain_ < 0 || domain_ > limit || id_ > limit) {
        detail::throw_misuse("locality domain ", domain_, " of device ", id_, " cannot exist: both numbers are from 0 to ",
                             limit);
    }
}

MemoryLocation::MemoryLocation(const driver::CUmemLocation& native) : type_(native.type), id_(native.id) {
    switch (native.type) {
        case driver::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN:
            id_ = native.localized.deviceId;
            domain_ = native.localized.localityDomainId;
            return;
        case driver::CU_MEM_LOCATION_TYPE_DEVICE:
        case driver::CU_MEM_LOCATION_TYPE_HOST_NUMA:
            return;
        case driver::CU_MEM_LOCATION_TYPE_HOST:
        case driver::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
            id_ = 0;
            return;
        default:
            detail::throw_misuse("a location of type ", static_cast<int>(native.type),
                                 " is not supported: memory is on a device (1), a locality domain (6) or the host (2, 3, 4)");
    }
}

std::optional<Device> MemoryLocation::device() const {
    if (host()) return std::nullopt;
    return Device(id_);
}

std::optional<LocalityDomain> MemoryLocation::locality_domain() const {
    if (type_ != driver::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN) return std::nullopt;
    return LocalityDomain{Device(id_), domain_};
}

std::optional<Host> MemoryLocation::host() const noexcept {
    if (type_ == driver::CU_MEM_LOCATION_TYPE_DEVICE || type_ == driver::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN)
        return std::nullopt;
    if (type_ == driver::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) return Host::numa_current();
    return type_ == driver::CU_MEM_LOCATION_TYPE_HOST_NUMA ? Host{id_} : Host{};
}

driver::CUmemLocation MemoryLocation::native() const noexcept {
    driver::CUmemLocation location{};
    location.type = type_;
    if (type_ == driver::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN) {
        location.localized.deviceId = static_cast<unsigned char>(id_);
        location.localized.localityDomainId = static_cast<unsigned char>(domain_);
    } else {
        location.id = id_;
    }
    return location;
}

}  // namespace CUBIND_NAMESPACE
