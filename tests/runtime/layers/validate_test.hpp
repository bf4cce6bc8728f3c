// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "simulated_test.hpp"

namespace cubind::testing {

/// Collects findings of the layer validate.
class Findings {
public:
    layers::validate::Options options(layers::validate::Action action = layers::validate::Action::warn) {
        return {.action = action, .report = [this](const layers::validate::Finding& finding) {
                    const std::lock_guard lock(mutex_);
                    found_.push_back(finding);
                }};
    }
    /// Returns the messages of all findings since the previous call.
    std::vector<std::string> messages() {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> messages;
        for (const auto& each : found_) messages.push_back(each.message);
        found_.clear();
        return messages;
    }
    std::vector<layers::validate::Finding> all() {
        const std::lock_guard lock(mutex_);
        return found_;
    }

private:
    std::mutex mutex_;
    std::vector<layers::validate::Finding> found_;
};

}  // namespace cubind::testing
