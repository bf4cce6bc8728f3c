// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <array>
#include <mutex>
#include <optional>

namespace CUBIND_NAMESPACE::sim {

/// The attributes of a kernel that a program has set. Thread-safe.
class KernelSettings {
public:
    std::optional<int> get(driver::CUfunction_attribute attribute) const {
        const std::lock_guard lock(mutex_);
        return values_[attribute];
    }
    void set(driver::CUfunction_attribute attribute, int value) {
        const std::lock_guard lock(mutex_);
        values_[attribute] = value;
    }

private:
    mutable std::mutex mutex_;
    std::array<std::optional<int>, driver::CU_FUNC_ATTRIBUTE_MAX> values_;
};

}  // namespace CUBIND_NAMESPACE::sim
