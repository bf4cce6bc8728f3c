// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the simulated driver tells an observer in its process: the calls of its functions, and the work of its devices. CUPTI
/// does not work with a simulated driver, so that profilers are tested with another observer.

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::sim {

/// The kind of an activity.
enum class ActivityKind : std::uint32_t { call, kernel, copy, fill };

/// The kind of the memory of a copy or a fill.
enum class ActivityMemory : std::uint32_t { pageable, pinned, device, managed };

/// A call or a piece of work that has ended. It is valid while the observer receives it.
struct SimulatedActivity {
    ActivityKind kind;
    std::uint32_t call;    ///< number of the call, or of the call that submitted the work; 0 if it was submitted unobserved
    const char* name;      ///< of the function or the kernel; otherwise null
    std::uint64_t start;   ///< nanoseconds since 1970
    std::uint64_t end;     ///< nanoseconds since 1970
    std::uint32_t result;  ///< status of a call
    std::uint32_t device;  ///< ordinal; of work only, as the next two
    std::uint32_t context;
    std::uint32_t stream;
    std::uint32_t grid[3];   ///< blocks
    std::uint32_t block[3];  ///< threads
    std::uint32_t registers;
    std::uint32_t static_shared_bytes;
    std::uint32_t dynamic_shared_bytes;
    ActivityMemory from;  ///< of a copy
    ActivityMemory to;    ///< of a copy or a fill
    std::uint32_t value;  ///< of a fill
    std::uint64_t bytes;  ///< of a copy or a fill
};

/// Functions of an observer. Any thread calls them, also several at the same time.
struct SimulatedObserver {
    void (*call_begins)(const char* name, std::uint32_t call) noexcept;
    void (*ended)(const SimulatedActivity& activity) noexcept;
};

/// The name under which the simulated driver exports a SimulatedObserverSetter.
inline constexpr const char* simulated_observer_symbol = "cubindSimulatedObserver";

/// Replaces the observer of the process, or removes it if `observer` is null. The observer must remain until the process ends.
/// `sizes` is sizeof(SimulatedObserver) + sizeof(SimulatedActivity). Returns 0, or -1 if the driver has other structures.
using SimulatedObserverSetter = int(const SimulatedObserver* observer, std::size_t sizes) noexcept;

extern "C" SimulatedObserverSetter cubindSimulatedObserver;

}  // namespace CUBIND_NAMESPACE::sim
