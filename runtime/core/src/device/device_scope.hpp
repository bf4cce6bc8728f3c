// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/status.hpp>

#include <optional>

#include "device/device_table.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Makes Device::context() current for the lifetime of the object. In most programs it is current already: the only cost is then
/// one query, while ScopedContext(device.context()) makes two.
class [[nodiscard]] DeviceScope {
public:
    explicit DeviceScope(Device device) {
        const driver::CUcontext current = check(driver::cuCtxGetCurrent());
        if (current == nullptr || !DeviceTable::get().at(device.ordinal()).is_primary(current)) [[unlikely]]
            enter(device);
    }

private:
    void enter(Device device);

    std::optional<ScopedContext> scope_;
};

}  // namespace CUBIND_NAMESPACE::detail
