// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "shared/valid.hpp"
#include "support/session.hpp"

namespace CUBIND_NAMESPACE::sim::management {

/// Returns the handle of a device. It is the same in all sessions.
nvmlDevice_t handle_of(int ordinal) noexcept;

/// A device, found by its handle.
struct DeviceCheck {
    explicit DeviceCheck(nvmlDevice_t handle) noexcept;
    bool failed() const noexcept { return status != NVML_SUCCESS; }
    const DeviceFacts* operator->() const noexcept { return &facts; }

    nvmlReturn_t status = NVML_ERROR_INVALID_ARGUMENT;
    int ordinal = -1;
    DeviceFacts facts = {};
};

/// Returns the ordinal of the first device for which `selects(facts)` is true.
template <class Selects>
std::optional<int> find_device(Selects selects) {
    DeviceFacts facts = {};
    for (int ordinal = 0; ordinal < read_device(ordinal, &facts); ++ordinal) {
        if (selects(ordinal, facts)) return ordinal;
    }
    return std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::sim::management
