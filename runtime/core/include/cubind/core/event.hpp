// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/detail/duration.hpp>
#include <cubind/core/detail/owner.hpp>
#include <cubind/driver/types.hpp>

namespace cubind {

class Device;

/// Time on a device's own clock.
using Milliseconds = std::chrono::duration<float, std::milli>;

/// A view of an event: a mark in a stream, which others can wait for and which knows when it was passed. It owns nothing and comes from
/// the native handle by itself. Any thread may use it.
class EventRef {
public:
    using Handle = driver::CUevent;

    constexpr EventRef(Handle handle) noexcept : handle_(handle) {}

    /// The native handle; throws std::invalid_argument for an event that was moved from or closed.
    Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]] detail::throw_moved_from("Event");
        return handle_;
    }

    /// Whether the work that it stands for is done, or it was never recorded; an error of that work throws (cuEventQuery).
    bool is_done() const;

    /// Blocks until the work is done; throws what it failed with (cuEventSynchronize).
    void synchronize() const;

    friend bool operator==(EventRef, EventRef) noexcept = default;

private:
    friend class detail::Owner<EventRef>;
    static EventRef empty() noexcept { return nullptr; }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept { return handle_; }

    Handle handle_;
};

/// The time from one event to a later one, with a resolution of about half a microsecond (cuEventElapsedTime). Both must have been
/// recorded, be done, be of one context and keep time: std::invalid_argument says which one is not so.
///
///     Event start = stream.record({.timing_enabled = true});
///     ...
///     Event stop = stream.record({.timing_enabled = true});
///     stop.synchronize();
///     Milliseconds time = stop - start;
Milliseconds operator-(EventRef later, EventRef earlier);

/// What an event is made with.
struct EventOptions {
    /// Whether it can be used to measure time. Events that keep none are cheaper.
    bool timing_enabled = false;
    /// Whether synchronize() lets the thread sleep rather than spin.
    bool blocking_sync = false;
    /// Whether other processes can open it; such an event keeps no time.
    bool ipc_enabled = false;
};

/// An event that the object owns. Destroying it does not wait for what it stands for.
class Event : public detail::Owner<EventRef> {
public:
    /// In device.context() (cuEventCreate).
    explicit Event(Device device, const EventOptions& options = {});

    /// In another context than the device's.
    explicit Event(ContextRef context, const EventOptions& options = {});

    /// Takes ownership of an event that was made elsewhere.
    static Event from_native_handle(Handle handle) noexcept { return Event(handle); }

private:
    explicit Event(Handle handle) noexcept : Owner(handle) {}
};

}  // namespace cubind
