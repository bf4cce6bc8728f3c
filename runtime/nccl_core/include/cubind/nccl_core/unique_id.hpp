// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/bootstrap.hpp>
#include <cubind/nccl/types.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace CUBIND_NAMESPACE::nccl {

/// The 128 bytes by which the ranks of a new communicator find each other. One rank creates them, and the program passes them to
/// the others; Bootstrap does both. They contain a network address of the process that has created them: who knows them can join.
class CUBIND_EXPORT UniqueId {
public:
    /// The number of bytes.
    CUBIND_HIDDEN static constexpr std::size_t size = sizeof(ncclUniqueId);
    static_assert(size == sizeof(Bootstrap::Id));

    /// Creates the id from bytes() of another process.
    explicit UniqueId(std::span<const std::byte, size> bytes) noexcept;
    /// Creates the id from NCCL's struct.
    explicit UniqueId(const ncclUniqueId& native) noexcept : native_(native) {}

    /// Returns an id that rank 0 has created, in all ranks, as Bootstrap::exchange() does.
    [[nodiscard]] static UniqueId exchange(const Bootstrap& bootstrap, std::string_view device_uuid = {},
                                           std::chrono::milliseconds timeout = Bootstrap::default_timeout);
    /// Creates an id for one communicator, of which this process must have a rank. Throws CommunicationError (ncclGetUniqueId).
    [[nodiscard]] static UniqueId create();

    /// Returns the bytes, which live as long as the object.
    [[nodiscard]] std::span<const std::byte, size> bytes() const& noexcept {
        return std::as_bytes(std::span<const char, size>(native_.internal));
    }
    /// Deleted: the bytes of a temporary object end with it.
    std::span<const std::byte, size> bytes() const&& = delete;
    /// Returns NCCL's struct.
    [[nodiscard]] const ncclUniqueId& native() const noexcept { return native_; }

    /// Returns whether the bytes are equal.
    [[nodiscard]] friend bool operator==(const UniqueId& left, const UniqueId& right) noexcept {
        return __builtin_memcmp(&left.native_, &right.native_, size) == 0;
    }

private:
    ncclUniqueId native_;
};

}  // namespace CUBIND_NAMESPACE::nccl
