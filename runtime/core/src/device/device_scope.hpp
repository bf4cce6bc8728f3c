// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/device.hpp>
#include <cubind/driver/context.hpp>

#include <optional>

#include "device/device_table.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Makes Device::context() current for the lifetime of the object. In most programs it is current already: the only cost is then
/// one query, while ScopedContext(device.context()) makes two.
class [[nodiscard]] DeviceScope {
public:
    explicit DeviceScope(Device device) {
        const auto current = driver::cuCtxGetCurrent();
        const bool is_primary = current.ok() && DeviceTable::get().at(device.ordinal()).is_primary(current.value);
        if (current.value == nullptr || !is_primary) [[unlikely]]
            enter(device);
    }

private:
    void enter(Device device);

    std::optional<ScopedContext> scope_;
};

}  // namespace CUBIND_NAMESPACE::detail
