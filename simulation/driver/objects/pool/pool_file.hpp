// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "objects/pool/pool_place.hpp"
#include "support/owned_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The memory of a pool that processes share: an anonymous file, whose first page describes the pool. Each allocation is a piece
/// of the file behind a page that describes the piece. The file never shrinks, so a process that receives its descriptor can map
/// the pieces safely. The memory exists until the last descriptor and mapping of any process is closed. Thread-safe.
class PoolFile {
public:
    /// A piece, as it is described to other processes.
    struct Piece {
        std::uint64_t offset;  ///< position of the memory in the file
        std::uint64_t size;    ///< size in bytes
        std::uint64_t id;      ///< number of the allocation in the pool; never 0

        bool operator==(const Piece&) const = default;
    };

    /// Creates the file of a new pool. Returns null if the process cannot have another file.
    static std::unique_ptr<PoolFile> create(const PoolPlace& place);
    /// Opens the file of a descriptor, which the caller may close. Returns null if create() did not create the file.
    static std::unique_ptr<PoolFile> open(int descriptor);

    PoolFile(const PoolFile&) = delete;  // owns its descriptor
    PoolFile& operator=(const PoolFile&) = delete;

    const PoolPlace& place() const noexcept { return place_; }
    /// Returns the descriptor, or -1 if other code of the process has closed it.
    int descriptor() const noexcept { return file_.descriptor(); }
    /// Checks whether the process has received the file from another owner.
    bool is_opened() const noexcept { return is_opened_; }
    /// Identifies the file on this machine.
    std::uint64_t device() const noexcept { return file_.device(); }
    std::uint64_t number() const noexcept { return file_.number(); }

    /// Returns a new descriptor of the file, or -1 if the process cannot have another descriptor.
    int share();
    /// Checks whether share() has returned a descriptor.
    bool is_shared() const noexcept { return is_shared_.load(std::memory_order_relaxed); }

    /// Allocates a piece. Returns nullopt if the file cannot grow. Only the process that has created the file may call it.
    std::optional<Piece> allocate(std::size_t bytes);
    /// Frees a piece of allocate(), and its memory.
    void free(const Piece& piece) noexcept;
    /// Checks whether the piece is allocated.
    bool has(const Piece& piece) const;

    /// Returns the address at which an opened piece is mapped, or 0.
    std::uintptr_t mapped_address(const Piece& piece) const;
    /// Notes the address of an opened piece; 0 if it is no longer mapped.
    void set_mapped_address(const Piece& piece, std::uintptr_t address);

private:
    PoolFile(OwnedFile file, const PoolPlace& place, bool is_opened);

    const OwnedFile file_;
    const PoolPlace place_;
    const bool is_opened_;
    std::atomic<bool> is_shared_{false};
    mutable std::mutex mutex_;
    std::uint64_t size_;
    std::uint64_t last_id_ = 0;
    std::map<std::uint64_t, std::deque<std::uint64_t>> free_;   ///< offsets of free pieces, by the pages that they take
    std::map<std::uint64_t, std::uintptr_t> mapped_addresses_;  ///< by offset
};

/// The unit in which files are mapped, in bytes.
inline constexpr std::size_t file_page = 4096;

}  // namespace CUBIND_NAMESPACE::sim
