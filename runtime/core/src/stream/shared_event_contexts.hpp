// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::detail {

/// The contexts of the events that other processes can open. cuIpcGetEventHandle needs the context of the event: if another one
/// is current, the driver ends the process. Thread-safe.
class SharedEventContexts {
public:
    /// Notes the context of a new event.
    static void add(driver::CUevent event, ContextRef context);
    /// Must be called before any event is destroyed. Costs one load if there are no shared events.
    static void remove(driver::CUevent event) noexcept;
    /// Returns the context of the event, or an empty view for an event that cubind has not created.
    [[nodiscard]] static ContextRef find(driver::CUevent event);
};

}  // namespace CUBIND_NAMESPACE::detail
