// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "objects/context/context.hpp"
#include "objects/virtual/external_semaphore.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A stream's signal of an external semaphore, or its wait for one.
struct SemaphoreOperation {
    enum class Kind { signal, wait };

    Kind kind;
    std::shared_ptr<ExternalSemaphore> semaphore;
    std::uint64_t value;

    /// Performs the operation. A wait ends when the semaphore has the value, or when the context is destroyed.
    void perform(const Context& context) const {
        if (kind == Kind::signal) return semaphore->signal(value);
        // Another process may signal, which notifies no one, so the value is polled.
        constexpr std::chrono::microseconds pause{20};
        while (!semaphore->try_wait(value) && context.is_alive()) std::this_thread::sleep_for(pause);
    }
};

}  // namespace CUBIND_NAMESPACE::sim
