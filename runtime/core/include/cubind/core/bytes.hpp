// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once


#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace cubind {

/// Bytes that nobody changes any more, e.g. a compiled program. A cheap copyable handle: copies share the bytes, which live as long as
/// the last of them. Any number of threads may read.
///
///     Bytes cubin = Bytes::copy_of(image.data(), image.size());
class Bytes {
public:
    /// No bytes.
    Bytes() noexcept = default;
    /// Shares `size` bytes that the caller no longer writes to.
    Bytes(std::shared_ptr<const std::byte[]> data, std::size_t size) noexcept : data_(std::move(data)), size_(size) {}

    /// A copy of `size` bytes. Throws std::bad_alloc.
    static Bytes copy_of(const void* data, std::size_t size) {
        if (size == 0) return {};
        std::shared_ptr<std::byte[]> copy(new std::byte[size]);
        std::memcpy(copy.get(), data, size);
        return {std::move(copy), size};
    }

    const std::byte* data() const noexcept { return data_.get(); }
    /// How many bytes.
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    std::span<const std::byte> span() const noexcept { return {data(), size_}; }

    /// Whether both hold the same bytes.
    friend bool operator==(const Bytes& left, const Bytes& right) noexcept {
        return left.size_ == right.size_ && (left.size_ == 0 || std::memcmp(left.data(), right.data(), left.size_) == 0);
    }

private:
    std::shared_ptr<const std::byte[]> data_;
    std::size_t size_ = 0;
};

}  // namespace cubind
