// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/device.hpp>

#include <optional>

namespace CUBIND_NAMESPACE::detail {

/// Ensures that a context is current during its lifetime, for driver calls that require one and accept any: the
/// caller's, else the primary context of device 0.
class [[nodiscard]] ContextGuard {
public:
    ContextGuard() {
        if (!ContextRef::current()) scope_.emplace(Device(0).primary_context());
    }

private:
    std::optional<ScopedContext> scope_;
};

}  // namespace CUBIND_NAMESPACE::detail
