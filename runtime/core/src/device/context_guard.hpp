// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Ensures that a context is current during its lifetime, for driver calls that require one and accept any. If the caller
/// has no current context, it makes the primary context of device 0 current.
class [[nodiscard]] ContextGuard {
public:
    ContextGuard() : scope_(Device().context()) {}

private:
    ScopedContext scope_;
};

}  // namespace CUBIND_NAMESPACE::detail
