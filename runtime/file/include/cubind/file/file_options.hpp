// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/file/file_result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace CUBIND_NAMESPACE {

/// How a File is opened.
struct FileOptions {
    /// Whether the file can be read.
    bool read = true;
    /// Whether the file can be written.
    bool write = false;
    /// Whether a missing file is created. Requires `write`.
    bool create = false;
    /// Whether an existing file is an error. Requires `create`.
    bool exclusive = false;
    /// Whether the file loses its content. Requires `write`.
    bool truncate = false;
    /// Whether transfers bypass the page cache of the operating system where the file system can do so (O_DIRECT). Parts that are
    /// not aligned to 4096 bytes use it nevertheless. GPUDirect Storage needs no page cache, so that its route implies this.
    bool direct = false;
    /// The permissions of a file that is created, as for chmod; the umask of the process restricts them.
    unsigned permissions = 0666;
    /// The way of transfers with memory of devices. Without a value, gpu_direct where driver, device and file system support it,
    /// else posix. A value demands this route, and the constructor throws FileError if it is not available. Memory of the host is
    /// always transferred by the operating system.
    std::optional<FileRoute> route = std::nullopt;
    /// The size in bytes of each pinned buffer through which the route posix copies. A multiple of 4096.
    std::size_t chunk_size = std::size_t{4} << 20;
    /// The number of such buffers that a transfer uses, at least 2, so that the file is read while the device is written.
    std::size_t chunk_count = 4;
};

/// Which bytes a transfer concerns.
struct FileRange {
    /// The value of `size` for the rest of the memory.
    CUBIND_HIDDEN static constexpr std::size_t rest = ~std::size_t{0};

    /// The first byte in the file, at most 2^63 - 1.
    std::uint64_t file_offset = 0;
    /// The first byte in the memory, from its beginning.
    std::size_t memory_offset = 0;
    /// The number of bytes.
    std::size_t size = rest;
};

}  // namespace CUBIND_NAMESPACE
