// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/driver/types.hpp>

#include <chrono>
#include <cstddef>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class Device;
struct IpcEventDescriptor;

/// A time span that a device's clock measured.
using Milliseconds = std::chrono::duration<float, std::milli>;

/// A view of an event: a marker in a stream that completes once all work submitted before it has completed. A view owns nothing
/// and converts implicitly from the native handle. Any thread may use it.
class CUBIND_EXPORT EventRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUevent;

    /// Creates a view of the event with this handle. Every use of a null handle throws std::invalid_argument.
    constexpr EventRef(Handle handle) noexcept : handle_(handle) {}
    EventRef(std::nullptr_t) = delete;  ///< Deleted: no event has a null handle.
    /// Deleted: an integer is not an event.
    template <class Integer>
    requires std::is_integral_v<Integer> EventRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty event.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("Event");
        return handle_;
    }

    /// Returns whether the recorded work has completed; true for an event that was never recorded. Throws Error if that
    /// work failed (cuEventQuery).
    [[nodiscard]] bool is_done() const;

    /// Blocks until the recorded work has completed; throws Error if it failed (cuEventSynchronize).
    void synchronize() const;

    /// Returns a description by which other processes open the event (cuIpcGetEventHandle). They can do so as long as the event
    /// exists. Throws Error if it was not created with ipc_enabled. The context of an event that other code has created must be
    /// current, or the driver may end the process.
    [[nodiscard]] IpcEventDescriptor ipc_descriptor() const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(EventRef, EventRef) noexcept = default;

private:
    friend class detail::Owner<EventRef>;
    friend struct detail::HandleHash;
    static EventRef empty() noexcept { return Handle(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept { return handle_; }

    Handle handle_;
};

/// Returns the time from one event to a later one, with a resolution of about half a microsecond (cuEventElapsedTime).
/// Both events must be recorded, complete, of the same context and created with timing_enabled; otherwise throws
/// std::invalid_argument, which states the condition that does not hold.
///
///     Event start = stream.record({.timing_enabled = true});
///     ...
///     Event stop = stream.record({.timing_enabled = true});
///     stop.synchronize();
///     Milliseconds time = stop - start;
[[nodiscard]] CUBIND_EXPORT Milliseconds operator-(EventRef later, EventRef earlier);

/// Options for creating an event.
struct EventOptions {
    /// Whether the event records the time. Events without a time are cheaper.
    bool timing_enabled = false;
    /// Whether a thread in synchronize() sleeps instead of spinning.
    bool blocking_sync = false;
    /// Whether other processes can open the event: see ipc_descriptor(). Cannot be combined with timing_enabled.
    bool ipc_enabled = false;

    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const EventOptions&, const EventOptions&) noexcept = default;
};

/// An owner of an event. Destroying it (cuEventDestroy) does not wait for the recorded work. Any thread may use it. Movable, not
/// copyable.
///
///     Event ready = producer.record();
///     consumer.wait(ready);
class [[nodiscard]] CUBIND_EXPORT Event : public detail::Owner<EventRef> {
public:
    /// Creates an empty object.
    Event() noexcept = default;
    /// Creates an event in device.context() (cuEventCreate).
    [[nodiscard]] explicit Event(Device device, const EventOptions& options = {});
    /// Creates an event in this context (cuEventCreate).
    [[nodiscard]] explicit Event(ContextRef context, const EventOptions& options = {});

    /// Opens an event of another process in device.context() (cuIpcOpenEventHandle). Both processes can record it, wait for it
    /// and query it. Throws Error if the event does not exist, or if this process has created it.
    [[nodiscard]] static Event from_ipc_descriptor(Device device, const IpcEventDescriptor& descriptor);
    /// Opens an event of another process in this context (cuIpcOpenEventHandle).
    [[nodiscard]] static Event from_ipc_descriptor(ContextRef context, const IpcEventDescriptor& descriptor);

    /// Takes ownership of an event that was created elsewhere.
    static Event from_native_handle(Handle handle) noexcept { return Event(EventRef(handle)); }

    // The driver reports nothing about an event, so that the functions below return what the constructor received. They throw
    // std::invalid_argument for an empty event and for an event from from_native_handle().

    /// Returns the device of the event's context.
    [[nodiscard]] Device device() const;
    /// Returns the context of the event.
    [[nodiscard]] ContextRef context() const;
    /// Returns the options with which the event was created. Of an event of another process, only ipc_enabled is known.
    [[nodiscard]] EventOptions options() const;

private:
    explicit Event(EventRef owned) noexcept : Owner(owned) {}
    Event(EventRef owned, const EventOptions& options) noexcept : Owner(owned), options_(options) {}
    void check_known() const;

    // The device or the context in which cubind has created the event.
    int device_ = -1;
    ContextRef context_ = {};
    EventOptions options_ = {};
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::EventRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::Event> : cubind::detail::HandleHash {};
