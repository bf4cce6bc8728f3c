// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/strings.hpp>
#include <cubind/layers/layer.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace cubind::testing {

/// The calls of the vendors' functions that failed although the program made no mistake. A sanitizer or a debugger would report
/// them. A call that found work not done (NOT_READY) has not failed, and a function that the driver lacks was not called.
class FailedCalls final : public layers::Layer {
public:
    /// Returns the list of the process, which is never destroyed.
    static FailedCalls& get() {
        static FailedCalls& list = *new FailedCalls;
        return list;
    }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        next(call);
        if (!call.failed() || call.original == nullptr) return;
        const bool is_driver = std::string_view(call.library.name) == "driver";
        if (is_driver && call.status() == driver::CUDA_ERROR_NOT_READY) return;
        const char* const status = is_driver ? driver::to_string(static_cast<driver::CUresult>(call.status())) : "a failure";
        const std::lock_guard lock(mutex_);
        calls_.push_back({std::this_thread::get_id(), std::string(call.function.symbol) + " returned " + status});
    }

    /// Forgets the failed calls of the calling thread. Called when an exception or a message reports them.
    void forget() noexcept {
        const std::lock_guard lock(mutex_);
        std::erase_if(calls_, [](const Failed& each) { return each.thread == std::this_thread::get_id(); });
    }

    /// Returns the failed calls, one per line, and forgets them.
    std::string take() {
        const std::lock_guard lock(mutex_);
        std::string text;
        for (const Failed& each : std::exchange(calls_, {})) text.append("  ").append(each.text).append("\n");
        return text;
    }

private:
    struct Failed {
        std::thread::id thread;
        std::string text;
    };

    std::mutex mutex_;
    std::vector<Failed> calls_;
};

}  // namespace cubind::testing
