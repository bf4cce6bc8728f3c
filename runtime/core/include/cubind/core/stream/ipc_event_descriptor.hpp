// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>

namespace CUBIND_NAMESPACE {

/// An event for another process: EventRef::ipc_descriptor() creates it, and Event::from_ipc_descriptor() opens the event. The
/// object owns nothing. Its bytes can be sent in any way.
struct IpcEventDescriptor {
    std::array<std::byte, 64> data = {};  ///< where the driver finds the event

    /// Returns whether both describe the same event.
    [[nodiscard]] friend bool operator==(const IpcEventDescriptor&, const IpcEventDescriptor&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
