// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE {

/// How one device reaches the memory of another one: Device::p2p_attribute() returns it. The object is a copy.
struct PeerAttributes {
    /// The rank of the connection among those of the device; a smaller number is a faster connection.
    int performance_rank = 0;
    /// Whether the device can access the memory directly.
    bool access_supported = false;
    /// Whether all atomic operations on the memory are native, and not emulated.
    bool native_atomics_supported = false;
    /// Whether only some atomic operations are native; Device::peer_atomics() returns which ones. False with a driver older than
    /// CUDA 13.0.
    bool only_partial_native_atomics_supported = false;
    /// Whether the device can access arrays in the memory.
    bool array_access_supported = false;

    /// Returns whether all members are equal.
    [[nodiscard]] friend bool operator==(const PeerAttributes&, const PeerAttributes&) noexcept = default;
};

/// For which operands an atomic operation is native between a device and other memory. The object is a copy.
struct AtomicCapabilities {
    /// Bits of CUatomicOperationCapability; 0 if the operation is not native.
    unsigned int flags = 0;

    /// Returns whether the operation is native for any operands.
    [[nodiscard]] explicit operator bool() const noexcept { return flags != 0; }
    /// Returns whether it is native for these operands, such as CU_ATOMIC_CAPABILITY_SCALAR_64.
    [[nodiscard]] bool has(driver::CUatomicOperationCapability capability) const noexcept { return (flags & capability) != 0; }
    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const AtomicCapabilities&, const AtomicCapabilities&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
