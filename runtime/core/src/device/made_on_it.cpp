// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What a device makes: each is the constructor of its class.

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/memory_resource.hpp>
#include <cubind/core/stream.hpp>

#include "device/device_table.hpp"

namespace cubind {

Stream Device::create_stream() const {
    return Stream(*this);
}

Stream Device::create_stream(const StreamOptions& options) const {
    return Stream(*this, options);
}

Event Device::create_event() const {
    return Event(*this);
}

Event Device::create_event(const EventOptions& options) const {
    return Event(*this, options);
}

// ---- memory --------------------------------------------------------------------------------------------------------------

namespace {

detail::DefaultMemory& memory_of(Device device) {
    return detail::DeviceTable::get().at(device.ordinal()).memory();
}

}  // namespace

MemoryResource Device::memory_resource() const {
    return memory_of(*this).get(*this);
}

void Device::set_memory_resource(MemoryResource resource) const {
    memory_of(*this).choose(std::move(resource));
}

Buffer Device::allocate(StreamRef stream, std::size_t size) const {
    if (const MemoryResource* const lasting = memory_of(*this).of_driver(*this)) return lasting->allocate(stream, size);
    return memory_resource().allocate(stream, size);
}

}  // namespace cubind
