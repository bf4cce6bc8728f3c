// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/multicast_state.hpp"

#include <cubind/driver/multicast.hpp>

#include <algorithm>

#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::detail {

MulticastState::~MulticastState() {
    const RelaxedCaptureMode mode;
    for (const MulticastBinding& each : bindings_) {
        report_unless_released(driver::cuMulticastUnbind(handle(), each.device.native_handle(), each.offset, each.size),
                               "unbind memory of a multicast object", nullptr);
    }
}

void MulticastState::add_device(Device device) {
    if (std::ranges::count(devices_, device) != 0)
        throw_misuse("device ", device.ordinal(), " was added to the multicast object before");
    if (devices_.size() == device_count())
        throw_misuse("the multicast object has all its ", device_count(), " devices: device ", device.ordinal(),
                     " cannot be added");
    devices_.reserve(devices_.size() + 1);
    check(driver::cuMulticastAddDevice(handle(), device.native_handle()));
    devices_.push_back(device);
}

void MulticastState::check_binding(const MulticastBinding& binding) const {
    const auto& [device, offset, size, memory] = binding;
    if (std::ranges::count(devices_, device) == 0) {
        throw_misuse("memory of device ", device.ordinal(),
                     " cannot be bound, because this multicast object has not added the device");
    }
    if (size == 0 || offset > properties_.size || size > properties_.size - offset) {
        throw_misuse("cannot bind ", size, " bytes at offset ", offset, " of a multicast object of ", properties_.size, " bytes");
    }
    if (offset % granularity() != 0 || size % granularity() != 0) {
        throw_misuse("cannot bind ", size, " bytes at offset ", offset, ": both must be multiples of the granularity of ",
                     granularity(), " bytes");
    }
    for (const MulticastBinding& each : bindings_) {
        if (each.device != device || offset >= each.offset + each.size || each.offset >= offset + size) continue;
        throw_misuse("cannot bind ", size, " bytes at offset ", offset, " for device ", device.ordinal(), ": ", each.size,
                     " bytes are bound at offset ", each.offset, "; unbind() them first");
    }
}

void MulticastState::unbind(Device device, std::size_t offset) {
    const auto found = std::ranges::find_if(
        bindings_, [&](const MulticastBinding& each) { return each.device == device && each.offset == offset; });
    if (found == bindings_.end()) throw_misuse("no memory of device ", device.ordinal(), " is bound at offset ", offset);
    const RelaxedCaptureMode mode;
    check(driver::cuMulticastUnbind(handle(), device.native_handle(), offset, found->size));
    bindings_.erase(found);
}

}  // namespace CUBIND_NAMESPACE::detail
