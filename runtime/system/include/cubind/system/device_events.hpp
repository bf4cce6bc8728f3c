// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/device.hpp>

#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>

namespace CUBIND_NAMESPACE::system {

/// An event of a device.
struct DeviceEvent {
    nvml::nvmlEventData_t native;  ///< the event as NVML wrote it

    /// Returns the device of the event.
    [[nodiscard]] Device device() const noexcept { return Device(native.device); }
    /// Returns the kind of the event.
    [[nodiscard]] EventType type() const noexcept { return static_cast<EventType>(native.eventType); }
    /// Returns the number of the error for EventType::xid_critical_error; the meaning depends on the type.
    [[nodiscard]] unsigned long long data() const noexcept { return native.eventData; }
};

class DeviceEventRange;

/// Receives events of devices. It owns NVML's set of events and is move-only. One thread at a time may wait.
///
///     DeviceEvents events = device.register_events(EventType::xid_critical_error | EventType::performance_state);
///     for (const DeviceEvent& event : events.each(std::chrono::seconds(10))) std::printf("%llu\n", event.data());
class CUBIND_EXPORT DeviceEvents {
public:
    /// Creates a set that receives nothing (nvmlEventSetCreate).
    DeviceEvents();
    /// Frees the set. A failure is ignored; close() reports it.
    ~DeviceEvents();
    /// Takes the set of the other object, which is closed then.
    DeviceEvents(DeviceEvents&& other) noexcept;
    /// Frees the own set and takes that of the other object.
    DeviceEvents& operator=(DeviceEvents&& other) noexcept;
    DeviceEvents(const DeviceEvents&) = delete;
    DeviceEvents& operator=(const DeviceEvents&) = delete;

    /// Receives events of these types from the device, too (nvmlDeviceRegisterEvents). Throws Error with NVML_ERROR_NOT_SUPPORTED
    /// for types that Device::supported_event_types() lacks; the set is then of no further use.
    void add(Device device, Flags<EventType> types);

    /// Waits for the next event. Returns nothing if none occurred within the timeout, which is rounded up to milliseconds
    /// (nvmlEventSetWait_v2). Throws Error, with NVML_ERROR_GPU_IS_LOST if a device disappeared, and std::invalid_argument for a
    /// negative timeout.
    [[nodiscard]] std::optional<DeviceEvent> wait(std::chrono::milliseconds timeout);

    /// Returns the events as a range that ends when none occurred within the timeout. Each step of the iterator calls wait().
    /// This object must live longer than the range.
    [[nodiscard]] DeviceEventRange each(std::chrono::milliseconds timeout);

    /// Frees the set now (nvmlEventSetFree). Has no effect on a closed object. Throws Error if it fails; the object is closed
    /// anyway.
    void close();
    /// Returns whether the object has no set, because it was closed or moved from. Other members then throw
    /// std::invalid_argument.
    [[nodiscard]] bool is_closed() const noexcept { return set_ == nullptr; }
    /// Returns the native handle.
    [[nodiscard]] nvml::nvmlEventSet_t native_handle() const noexcept { return set_; }

private:
    nvml::nvmlEventSet_t set_ = nullptr;
};

/// The events that DeviceEvents::each() receives, an input range.
class CUBIND_EXPORT DeviceEventRange {
public:
    /// Waits for an event at each step.
    class Iterator {
    public:
        using difference_type = std::ptrdiff_t;  ///< required of iterators
        using value_type = DeviceEvent;          ///< what the iterator refers to

        /// Waits for the first event.
        Iterator(DeviceEvents& events, std::chrono::milliseconds timeout)
            : events_(&events), timeout_(timeout), event_(events.wait(timeout)) {}
        /// Returns the event.
        [[nodiscard]] const DeviceEvent& operator*() const noexcept { return *event_; }
        /// Waits for the next event.
        Iterator& operator++() {
            event_ = events_->wait(timeout_);
            return *this;
        }
        /// Waits for the next event.
        void operator++(int) { ++*this; }
        /// Returns whether no event occurred within the timeout.
        [[nodiscard]] friend bool operator==(const Iterator& iterator, std::default_sentinel_t) noexcept {
            return !iterator.event_.has_value();
        }

    private:
        DeviceEvents* events_;
        std::chrono::milliseconds timeout_;
        std::optional<DeviceEvent> event_;
    };

    /// Creates the range; DeviceEvents::each() does the same.
    DeviceEventRange(DeviceEvents& events, std::chrono::milliseconds timeout) noexcept : events_(&events), timeout_(timeout) {}
    /// Waits for the first event.
    [[nodiscard]] Iterator begin() const { return {*events_, timeout_}; }
    /// Returns the end of the range.
    [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }

private:
    DeviceEvents* events_;
    std::chrono::milliseconds timeout_;
};

inline DeviceEventRange DeviceEvents::each(std::chrono::milliseconds timeout) {
    return {*this, timeout};
}

}  // namespace CUBIND_NAMESPACE::system
