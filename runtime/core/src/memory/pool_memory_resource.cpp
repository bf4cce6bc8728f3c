// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/pool_memory_resource.hpp>
#include <cubind/driver/memory_pool.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {

using Number = driver::cuuint64_t;

// ---- attributes ----------------------------------------------------------------------------------------------------------

bool MemoryPoolAttributes::reuse_follow_event_dependencies() const {
    return pool_->get<int>(driver::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES) != 0;
}

void MemoryPoolAttributes::set_reuse_follow_event_dependencies(bool value) const {
    pool_->set(driver::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, value ? 1 : 0);
}

bool MemoryPoolAttributes::reuse_allow_opportunistic() const {
    return pool_->get<int>(driver::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC) != 0;
}

void MemoryPoolAttributes::set_reuse_allow_opportunistic(bool value) const {
    pool_->set(driver::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, value ? 1 : 0);
}

bool MemoryPoolAttributes::reuse_allow_internal_dependencies() const {
    return pool_->get<int>(driver::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES) != 0;
}

void MemoryPoolAttributes::set_reuse_allow_internal_dependencies(bool value) const {
    pool_->set(driver::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, value ? 1 : 0);
}

std::uint64_t MemoryPoolAttributes::release_threshold() const {
    return pool_->get<Number>(driver::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
}

void MemoryPoolAttributes::set_release_threshold(std::uint64_t bytes) const {
    pool_->set(driver::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, Number{bytes});
}

std::uint64_t MemoryPoolAttributes::reserved_mem_current() const {
    return pool_->get<Number>(driver::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
}

std::uint64_t MemoryPoolAttributes::reserved_mem_high() const {
    return pool_->get<Number>(driver::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH);
}

void MemoryPoolAttributes::reset_reserved_mem_high() const {
    pool_->set(driver::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, Number{0});
}

std::uint64_t MemoryPoolAttributes::used_mem_current() const {
    return pool_->get<Number>(driver::CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
}

std::uint64_t MemoryPoolAttributes::used_mem_high() const {
    return pool_->get<Number>(driver::CU_MEMPOOL_ATTR_USED_MEM_HIGH);
}

void MemoryPoolAttributes::reset_used_mem_high() const {
    pool_->set(driver::CU_MEMPOOL_ATTR_USED_MEM_HIGH, Number{0});
}

namespace {

// Returns an attribute that older drivers reject as an invalid value.
template <class Value = int>
Value newer(const detail::MemoryPool& pool, driver::CUmemPool_attribute which, const char* release = "13.2") {
    return detail::check_as(pool.query<Value>(which), [&](const Error& failure) {
        return Error(failure, detail::concat("attribute ", static_cast<int>(which),
                                             " of a memory pool requires a driver of CUDA ", release, " or later"));
    });
}

}  // namespace

AllocationType MemoryPoolAttributes::allocation_type() const {
    return static_cast<AllocationType>(newer(*pool_, driver::CU_MEMPOOL_ATTR_ALLOCATION_TYPE));
}

SharingHandle MemoryPoolAttributes::export_handle_types() const {
    return static_cast<SharingHandle>(newer(*pool_, driver::CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES));
}

std::optional<MemoryLocation> MemoryPoolAttributes::location() const {
    driver::CUmemLocation location{};
    location.type = static_cast<driver::CUmemLocationType>(newer(*pool_, driver::CU_MEMPOOL_ATTR_LOCATION_TYPE));
    if (location.type == driver::CU_MEM_LOCATION_TYPE_NONE || location.type == driver::CU_MEM_LOCATION_TYPE_INVISIBLE)
        return std::nullopt;
    location.id = newer(*pool_, driver::CU_MEMPOOL_ATTR_LOCATION_ID);
    const bool is_domain = location.type == driver::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN;
    if (is_domain) return LocalityDomain{Device(location.id), locality_domain().value_or(0)};
    return MemoryLocation(location);
}

std::uint64_t MemoryPoolAttributes::max_pool_size() const {
    return newer<Number>(*pool_, driver::CU_MEMPOOL_ATTR_MAX_POOL_SIZE);
}

bool MemoryPoolAttributes::hw_decompress_enabled() const {
    return newer(*pool_, driver::CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED) != 0;
}

std::optional<int> MemoryPoolAttributes::locality_domain() const {
    const int domain = newer(*pool_, driver::CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID, "13.4");
    return domain < 0 ? std::nullopt : std::optional(domain);
}

// ---- the pool ------------------------------------------------------------------------------------------------------------

PoolMemoryResource::PoolMemoryResource(std::shared_ptr<detail::MemoryPool> pool) : ResourceHandle(pool), pool_(std::move(pool)) {}

driver::CUmemoryPool PoolMemoryResource::native_handle() const noexcept {
    return pool_->handle();
}

bool PoolMemoryResource::is_handle_owned() const noexcept {
    return pool_->is_owned();
}

void PoolMemoryResource::trim(std::size_t bytes_to_retain) const {
    pool_->trim(bytes_to_retain);
}

// ---- other processes -----------------------------------------------------------------------------------------------------

bool PoolMemoryResource::is_ipc_enabled() const noexcept {
    return pool_->sharing() != nullptr;
}

PoolUuid PoolMemoryResource::uuid() const noexcept {
    return pool_->sharing() != nullptr ? pool_->sharing()->uuid : PoolUuid{};
}

IpcAllocationHandle PoolMemoryResource::allocation_handle() const {
    const detail::PoolSharing* const sharing = pool_->sharing();
    return allocation_handle(sharing != nullptr ? sharing->usual_kind() : SharingHandle::posix_file_descriptor);
}

IpcAllocationHandle PoolMemoryResource::allocation_handle(SharingHandle kind) const {
    detail::check_one_kind(kind);
    if (pool_->sharing() == nullptr) {
        detail::throw_misuse("other processes cannot open this memory pool; create it with the option .ipc_enabled = true");
    }
    if (is_mapped()) detail::throw_misuse("only the process that has created a memory pool can send it to other processes");
    if ((pool_->sharing()->kinds & kind) != kind) {
        detail::throw_misuse("a memory pool of SharingHandle ", static_cast<unsigned int>(pool_->sharing()->kinds),
                             " cannot be exported as ", static_cast<unsigned int>(kind),
                             "; create it with that kind in .sharing");
    }
    detail::ShareableHandle exported = pool_->export_handle(kind);
    return {std::move(exported.descriptor), uuid(), kind, exported.fabric};
}

// ---- peer access ---------------------------------------------------------------------------------------------------------

namespace {

driver::CUmemAccessDesc access_of(Device device, bool is_allowed) {
    driver::CUmemAccessDesc access{};
    access.location.type = driver::CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device.ordinal();
    access.flags = is_allowed ? driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE : driver::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return access;
}

void set_access(const PoolMemoryResource& pool, const std::vector<driver::CUmemAccessDesc>& access) {
    if (access.empty()) return;
    const detail::RelaxedCaptureMode mode;
    const auto set = driver::cuMemPoolSetAccess(pool.native_handle(), access.data(), access.size());
    if (!set.ok())
        detail::throw_with_advice(set, "Device::can_access_peer() returns whether a device can access the memory of another one");
}

}  // namespace

void PoolMemoryResource::allow_peer_access(Device peer) const {
    if (peer != device()) set_access(*this, {access_of(peer, true)});
}

void PoolMemoryResource::forbid_peer_access(Device peer) const {
    if (peer != device()) set_access(*this, {access_of(peer, false)});
}

void PoolMemoryResource::set_peer_accessible_by(const std::vector<Device>& devices) const {
    const auto contains = [](const std::vector<Device>& all, Device one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    };
    const std::vector<Device> before = peer_accessible_by();
    std::vector<driver::CUmemAccessDesc> access;
    for (const Device each : Device::all()) {
        // Passes only changes to the driver, because it even rejects the withdrawal of access from a device that cannot have
        // access.
        const bool is_allowed = contains(devices, each);
        if (each != device() && is_allowed != contains(before, each)) access.push_back(access_of(each, is_allowed));
    }
    set_access(*this, access);
}

std::vector<Device> PoolMemoryResource::peer_accessible_by() const {
    std::vector<Device> devices;
    const detail::RelaxedCaptureMode mode;
    for (const Device each : Device::all()) {
        if (each == device()) continue;
        driver::CUmemLocation location = access_of(each, true).location;
        if (check(driver::cuMemPoolGetAccess(native_handle(), &location)) != driver::CU_MEM_ACCESS_FLAGS_PROT_NONE) {
            devices.push_back(each);
        }
    }
    return devices;
}

}  // namespace CUBIND_NAMESPACE
