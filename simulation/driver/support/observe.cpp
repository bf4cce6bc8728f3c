// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/observe.hpp"

#include <chrono>

namespace CUBIND_NAMESPACE::sim {

constinit std::atomic<const SimulatedObserver*> observer{nullptr};
constinit thread_local ObservedOrigin observed_origin{};

std::uint64_t activity_time() noexcept {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

extern "C" {

[[gnu::visibility("default")]] int cubindSimulatedObserver(const SimulatedObserver* next, std::size_t sizes) noexcept {
    if (sizes != sizeof(SimulatedObserver) + sizeof(SimulatedActivity)) return -1;
    observer.store(next, std::memory_order_release);
    return 0;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
