// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/device.hpp>

#include <optional>

namespace CUBIND_NAMESPACE::detail {

/// Makes Device::context() current for the lifetime of the object. In most programs it is current already: the only cost is then
/// one query, while ScopedContext(device.context()) makes two.
class [[nodiscard]] DeviceScope {
public:
    explicit DeviceScope(Device device);

private:
    std::optional<ScopedContext> scope_;
};

}  // namespace CUBIND_NAMESPACE::detail
