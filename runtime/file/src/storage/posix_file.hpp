// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "platform/descriptor.hpp"

/// Files of the operating system, with offsets. A signal interrupts no function.
namespace CUBIND_NAMESPACE::detail::io {

/// How a file is opened; see FileOptions.
struct OpenMode {
    bool read;
    bool write;
    bool create;
    bool exclusive;
    bool truncate;
    unsigned permissions;
};

/// The storage below a file, as far as GPUDirect Storage distinguishes it.
enum class Storage { other, nvme, nfs, lustre, gpfs, beegfs };

/// The multiple to which file systems align transfers without the page cache.
inline constexpr std::size_t page = 4096;

/// An open file. A second descriptor bypasses the page cache, so that parts that are not aligned can use the first one. Any
/// thread may use it.
class PosixFile {
public:
    /// Opens the file; returns 0 or an errno: EISDIR for a folder, ESPIPE for a file without offsets. `is_direct` asks for the
    /// second descriptor, which some file systems refuse.
    [[nodiscard]] int open(const char* path, const OpenMode& mode, bool is_direct) noexcept;

    /// Makes all transfers use the page cache. Must be called before the first one.
    void use_page_cache() noexcept {
        uses_direct_ = false;
        const Descriptor closed = std::move(direct_);
    }
    [[nodiscard]] bool is_direct() const noexcept { return uses_direct_.load(std::memory_order_relaxed); }
    /// Returns the descriptor for cuFile: the direct one if there is one.
    [[nodiscard]] int descriptor() const noexcept { return is_direct() ? direct_.number() : buffered_.number(); }
    [[nodiscard]] Storage storage() const noexcept;
    [[nodiscard]] int size(std::uint64_t& bytes) const noexcept;
    [[nodiscard]] int store() const noexcept;

    /// Reads until all bytes are read, the file ends or an error occurs.
    [[nodiscard]] ReadResult read(void* to, std::size_t size, std::uint64_t offset) const noexcept;
    /// Writes all bytes unless an error occurs. Exceeding the limit of the file size does not end the process.
    [[nodiscard]] Written write(const void* from, std::size_t size, std::uint64_t offset) const noexcept;

    /// Returns where read_chunk() puts the bytes of this offset in a chunk.
    [[nodiscard]] static std::byte* place_in(std::byte* chunk, std::uint64_t offset) noexcept { return chunk + offset % page; }
    /// Reads into a chunk, which begins at a multiple of `page` and has a page more than `size`. Without the page cache if it
    /// can.
    [[nodiscard]] ReadResult read_chunk(std::byte* chunk, std::size_t size, std::uint64_t offset) const noexcept;
    /// Writes the beginning of a chunk. Without the page cache as far as size and offset are aligned.
    [[nodiscard]] Written write_chunk(const std::byte* chunk, std::size_t size, std::uint64_t offset) const noexcept;

private:
    Descriptor buffered_;
    Descriptor direct_;
    mutable std::atomic<bool> uses_direct_{false};  // false after the file system has refused a transfer
};

}  // namespace CUBIND_NAMESPACE::detail::io
