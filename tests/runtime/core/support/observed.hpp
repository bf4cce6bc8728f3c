// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Helpers that observe exceptions and other threads, for tests on simulated devices and on a GPU.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace cubind::testing {

/// Waits for a condition that another thread makes true. Returns false if the condition does not hold within the limit.
inline bool eventually(const std::function<bool()>& is_true, std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!is_true()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::yield();
    }
    return true;
}

/// Returns the message of the exception that `function` throws, which must be an `Exception` or derived from it.
template <class Exception>
std::string message_of(const std::function<void()>& function) {
    try {
        function();
    } catch (const Exception& exception) {
        return exception.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}

}  // namespace cubind::testing
