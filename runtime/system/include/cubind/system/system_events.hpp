// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvml/types.hpp>
#include <cubind/system/flags.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

namespace CUBIND_NAMESPACE::system {

/// An event of the machine.
struct SystemEvent {
    SystemEventType type;  ///< the kind of the event
    unsigned int gpu_id;   ///< the GPU, as domain, bus and device of its PCI address, one after the other
};

/// Receives events of the machine: a driver was bound to a GPU, or unbound. It owns NVML's set of events and is move-only. One
/// thread at a time may wait. Needs CUDA 12.9.
class CUBIND_EXPORT SystemEvents {
public:
    /// Creates a set that receives these events (nvmlSystemEventSetCreate, nvmlSystemRegisterEvents).
    explicit SystemEvents(Flags<SystemEventType> types);
    /// Frees the set. A failure is ignored; close() reports it.
    ~SystemEvents();
    /// Takes the set of the other object, which is closed then.
    SystemEvents(SystemEvents&& other) noexcept;
    /// Frees the own set and takes that of the other object.
    SystemEvents& operator=(SystemEvents&& other) noexcept;
    SystemEvents(const SystemEvents&) = delete;
    SystemEvents& operator=(const SystemEvents&) = delete;

    /// Waits for events. Returns at most `max_count` events; none if none occurred within the timeout (nvmlSystemEventSetWait).
    /// Throws std::invalid_argument for a negative timeout or if `max_count` is 0 or above 4294967295, the limit of NVML. The
    /// call allocates memory for `max_count` events.
    [[nodiscard]] std::vector<SystemEvent> wait(std::chrono::milliseconds timeout, std::size_t max_count = 16);

    /// Frees the set now (nvmlSystemEventSetFree). Has no effect on a closed object. Throws Error if it fails; the object is
    /// closed anyway.
    void close();
    /// Returns whether the object has no set, because it was closed or moved from. Other members then throw
    /// std::invalid_argument.
    [[nodiscard]] bool is_closed() const noexcept { return set_ == nullptr; }

private:
    nvml::nvmlSystemEventSet_t set_ = nullptr;
};

}  // namespace CUBIND_NAMESPACE::system
