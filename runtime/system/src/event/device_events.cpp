// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/events.hpp>
#include <cubind/system/device_events.hpp>

#include <utility>

#include "event/timeout.hpp"
#include "support/checked.hpp"
#include "support/session.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

DeviceEvents::DeviceEvents() {
    detail::initialize();
    set_ = checked(nvml::nvmlEventSetCreate());
}

DeviceEvents::~DeviceEvents() {
    if (set_ != nullptr) (void)nvml::nvmlEventSetFree(set_);
}

DeviceEvents::DeviceEvents(DeviceEvents&& other) noexcept : set_(std::exchange(other.set_, nullptr)) {}

DeviceEvents& DeviceEvents::operator=(DeviceEvents&& other) noexcept {
    DeviceEvents old(std::move(*this));
    set_ = std::exchange(other.set_, nullptr);
    return *this;
}

void DeviceEvents::add(Device device, Flags<EventType> types) {
    detail::check_open(is_closed(), "DeviceEvents");
    checked(nvml::nvmlDeviceRegisterEvents(device.native_handle(), types.bits(), set_));
}

std::optional<DeviceEvent> DeviceEvents::wait(std::chrono::milliseconds timeout) {
    detail::check_open(is_closed(), "DeviceEvents");
    auto result = nvml::nvmlEventSetWait_v2(set_, detail::milliseconds_of(timeout));
    if (result.status == nvml::NVML_ERROR_TIMEOUT) return std::nullopt;
    return DeviceEvent{checked(std::move(result))};
}

void DeviceEvents::close() {
    if (set_ != nullptr) checked(nvml::nvmlEventSetFree(std::exchange(set_, nullptr)));
}

DeviceEvents Device::register_events(Flags<EventType> types) const {
    DeviceEvents events;
    events.add(*this, types);
    return events;
}

}  // namespace CUBIND_NAMESPACE::system
