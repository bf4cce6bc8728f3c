// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/availability.hpp>
#include <cubind/driver/unified_addressing.hpp>
#include <cubind/driver/version.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "memory/managed_calls.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using Memory = detail::MemoryView;
using detail::check_call;
using detail::is_missing;
using Status = Result<driver::CUresult>;

// Drivers before CUDA 12.2, and some results of all drivers, identify locations other than devices by these numbers.
constexpr int host_number = -1;
constexpr int invalid_number = -2;

int number_of(const MemoryLocation& location) {
    if (const auto device = location.device()) return device->ordinal();
    const Host host = *location.host();
    if (host.numa_id || host.is_numa_current) {
        detail::throw_misuse(host.numa_id ? detail::concat("NUMA node ", *host.numa_id) : "the NUMA node of the calling thread",
                             " cannot be named: this driver treats the host as one location; NUMA nodes require CUDA 12.2");
    }
    return host_number;
}

std::optional<MemoryLocation> location_of(int number) {
    if (number == invalid_number) return std::nullopt;
    if (number == host_number) return Host{};
    return Device(number);
}

void advise(const Memory& memory, driver::CUmem_advise advice, const MemoryLocation& location) {
    if (memory.size == 0) return;
    const detail::ContextGuard context;
    Status advised = driver::cuMemAdvise_v2(memory.address, memory.size, advice, location.native());
    if (is_missing(advised)) advised = driver::cuMemAdvise_v1(memory.address, memory.size, advice, number_of(location));
    check_call(advised, memory);
}

int attribute(const Memory& memory, driver::CUmem_range_attribute which) {
    const detail::ContextGuard context;
    int value = 0;
    check_call(driver::cuMemRangeGetAttribute(&value, sizeof value, which, memory.address, memory.size), memory);
    return value;
}

// Returns the location of an attribute. Newer drivers also report the NUMA node.
std::optional<MemoryLocation> location(const Memory& memory, driver::CUmem_range_attribute number,
                                       driver::CUmem_range_attribute type, driver::CUmem_range_attribute id) {
    if (memory.size == 0) return std::nullopt;
    const auto simple = location_of(attribute(memory, number));
    if (!simple || simple->device()) return simple;
    constexpr int since = driver::availability("CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE").since;
    static_assert(since != 0, "the name is not in the generated data");
    if (check(driver::cuDriverGetVersion()) < since) return simple;
    if (attribute(memory, type) != static_cast<int>(driver::CU_MEM_LOCATION_TYPE_HOST_NUMA)) return simple;
    return Host{attribute(memory, id)};
}

}  // namespace

ManagedMemory::ManagedMemory(const Buffer& buffer) : memory_(detail::memory_view_of(buffer)) {}

// ---- location ------------------------------------------------------------------------------------------------------------

void ManagedMemory::prefetch(StreamRef stream, MemoryLocation location) const {
    const driver::CUstream handle = detail::StreamAccess::handle(stream);
    if (memory_.size == 0) return;
    if (memory_.buffer != nullptr) detail::retain_for_capture(stream, *memory_.buffer);
    Status moved = driver::cuMemPrefetchAsync_v2(memory_.address, memory_.size, location.native(), 0, handle);
    if (is_missing(moved)) moved = driver::cuMemPrefetchAsync_v1(memory_.address, memory_.size, number_of(location), handle);
    check_call(moved, memory_, stream);
}

std::optional<MemoryLocation> ManagedMemory::last_prefetch_location() const {
    return location(memory_, driver::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                    driver::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE,
                    driver::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID);
}

// ---- advice --------------------------------------------------------------------------------------------------------------

bool ManagedMemory::read_mostly() const {
    return memory_.size != 0 && attribute(memory_, driver::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY) != 0;
}

void ManagedMemory::set_read_mostly(bool value) const {
    advise(memory_, value ? driver::CU_MEM_ADVISE_SET_READ_MOSTLY : driver::CU_MEM_ADVISE_UNSET_READ_MOSTLY, Host{});
}

std::optional<MemoryLocation> ManagedMemory::preferred_location() const {
    return location(memory_, driver::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                    driver::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, driver::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID);
}

void ManagedMemory::set_preferred_location(std::optional<MemoryLocation> location) const {
    advise(memory_, location ? driver::CU_MEM_ADVISE_SET_PREFERRED_LOCATION : driver::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
           location.value_or(Host{}));
}

std::vector<MemoryLocation> ManagedMemory::accessed_by() const {
    if (memory_.size == 0) return {};
    std::vector<int> numbers(static_cast<std::size_t>(Device::count()) + 1);  // one for each device and one for the host
    {
        const detail::ContextGuard context;
        check_call(driver::cuMemRangeGetAttribute(numbers.data(), numbers.size() * sizeof(int),
                                                  driver::CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory_.address, memory_.size),
                   memory_);
    }
    std::vector<MemoryLocation> locations;
    for (const int number : numbers) {
        if (const auto location = location_of(number)) locations.push_back(*location);
    }
    return locations;
}

void ManagedMemory::add_accessed_by(MemoryLocation location) const {
    advise(memory_, driver::CU_MEM_ADVISE_SET_ACCESSED_BY, location);
}

void ManagedMemory::remove_accessed_by(MemoryLocation location) const {
    advise(memory_, driver::CU_MEM_ADVISE_UNSET_ACCESSED_BY, location);
}

void ManagedMemory::set_accessed_by(const std::vector<MemoryLocation>& locations) const {
    const auto contains = [](const auto& all, const MemoryLocation& one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    };
    const auto before = accessed_by();
    for (const MemoryLocation& each : before) {
        if (!contains(locations, each)) remove_accessed_by(each);
    }
    for (const MemoryLocation& each : locations) {
        if (!contains(before, each)) add_accessed_by(each);
    }
}

}  // namespace CUBIND_NAMESPACE
