// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <array>
#include <cstddef>

namespace CUBIND_NAMESPACE {

/// Means by which other processes can obtain memory. Values combine with `|`.
enum class SharingHandle : unsigned int {
    none = driver::CU_MEM_HANDLE_TYPE_NONE,                                    ///< the memory is not shared
    posix_file_descriptor = driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,  ///< a descriptor, on the same machine
    fabric = driver::CU_MEM_HANDLE_TYPE_FABRIC,  ///< a CUmemFabricHandle, also on machines with the same NVLink fabric
};

/// Returns the means of both.
[[nodiscard]] constexpr SharingHandle operator|(SharingHandle left, SharingHandle right) noexcept {
    return static_cast<SharingHandle>(static_cast<unsigned int>(left) | static_cast<unsigned int>(right));
}

/// Returns the means that both have.
[[nodiscard]] constexpr SharingHandle operator&(SharingHandle left, SharingHandle right) noexcept {
    return static_cast<SharingHandle>(static_cast<unsigned int>(left) & static_cast<unsigned int>(right));
}

/// A CUmemFabricHandle: bytes that name memory on all machines with the same NVLink fabric.
using FabricHandle = std::array<std::byte, 64>;

}  // namespace CUBIND_NAMESPACE
