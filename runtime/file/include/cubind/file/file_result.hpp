// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE {

/// The way that the bytes of a transfer take.
enum class FileRoute {
    posix,      ///< the operating system reads or writes; memory of devices is copied through pinned memory
    cufile,     ///< cuFile without GPUDirect Storage: it copies through memory of the host itself
    gpu_direct  ///< cuFile with GPUDirect Storage; parts that are not aligned may still be copied through memory of the host
};

/// Returns the name of the enumerator.
[[nodiscard]] constexpr const char* to_string(FileRoute route) noexcept {
    return route == FileRoute::posix ? "posix" : route == FileRoute::cufile ? "cufile" : "gpu_direct";
}

/// What a transfer has done.
struct FileResult {
    /// The number of bytes that were read or written. A write either writes all bytes or fails.
    std::size_t bytes = 0;
    /// The way that they took.
    FileRoute route = FileRoute::posix;
    /// Whether a read has found the end of the file before it had all bytes.
    bool reached_end = false;

    /// Returns whether all fields are equal.
    [[nodiscard]] friend bool operator==(const FileResult&, const FileResult&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
