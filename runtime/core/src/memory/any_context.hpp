// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/device.hpp>

#include <optional>

namespace cubind::detail {

/// Sees to it that some context is current while it lives, for calls that need one and do not care which: the caller's, else the first
/// device's primary one.
class [[nodiscard]] AnyContext {
public:
    AnyContext() {
        if (!ContextRef::current()) scope_.emplace(Device(0).primary_context());
    }

private:
    std::optional<ScopedContext> scope_;
};

}  // namespace cubind::detail
