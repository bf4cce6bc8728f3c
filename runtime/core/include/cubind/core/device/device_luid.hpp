// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>

namespace CUBIND_NAMESPACE {

/// The identity of a device for the graphics APIs of Windows: Device::luid() returns it.
struct DeviceLuid {
    std::array<std::byte, 8> luid = {};  ///< the locally unique identifier of the adapter, in the order of its bytes in memory
    unsigned int node_mask = 0;          ///< the bit of the device's node in an adapter with several linked devices

    /// Returns whether both are the same device.
    [[nodiscard]] friend bool operator==(const DeviceLuid&, const DeviceLuid&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
