// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace CUBIND_NAMESPACE {

/// Immutable bytes, such as a compiled program. A handle: copies are cheap and share the bytes, which live as long as
/// the last copy. Any number of threads may read them.
///
///     Bytes cubin = Bytes::copy_of(image.data(), image.size());
class CUBIND_EXPORT Bytes {
public:
    /// Creates an object without bytes.
    Bytes() noexcept = default;
    /// Shares `size` bytes, which must not change from now on.
    Bytes(std::shared_ptr<const std::byte[]> data, std::size_t size) noexcept : data_(std::move(data)), size_(size) {}

    /// Returns a copy of `size` bytes. Throws std::bad_alloc.
    [[nodiscard]] static Bytes copy_of(const void* data, std::size_t size);

    /// Returns the address of the first byte.
    [[nodiscard]] const std::byte* data() const noexcept { return data_.get(); }
    /// Returns the number of bytes.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Returns whether there are no bytes.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    /// Returns the bytes, which are valid as long as a copy of the object exists.
    [[nodiscard]] std::span<const std::byte> span() const noexcept;

    /// Returns whether both hold equal bytes.
    [[nodiscard]] friend bool operator==(const Bytes& left, const Bytes& right) noexcept {
        return left.size_ == right.size_ && (left.size_ == 0 || std::memcmp(left.data(), right.data(), left.size_) == 0);
    }

private:
    std::shared_ptr<const std::byte[]> data_;
    std::size_t size_ = 0;
};

}  // namespace CUBIND_NAMESPACE
