// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How tests look at what was thrown, and at what happens on other threads, be the devices simulated or not.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace cubind::testing {

/// Waits for what happens on other threads: whether it came true in time.
inline bool eventually(const std::function<bool()>& is_true, std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!is_true()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::yield();
    }
    return true;
}

/// The message of the exception that `function` throws, which must be of this class or one derived from it.
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
