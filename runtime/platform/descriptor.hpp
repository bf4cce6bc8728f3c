// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <utility>

namespace CUBIND_NAMESPACE::detail {

inline constexpr int standard_error = 2;

/// Closes a file descriptor. errno may change.
CUBIND_EXPORT void close_descriptor(int number) noexcept;

/// An owner of a file descriptor. A negative number means that it owns none.
class Descriptor {
public:
    Descriptor() noexcept = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) close_descriptor(number_);
    }

    int number() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    /// Gives up ownership.
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

/// The result of a read: an errno if it failed, else 0, and the number of bytes, which is less than requested if the file ended.
/// Takes ownership of a new descriptor. If it has the number of a standard stream, because the program has none, it gets another
/// number: what the program prints must not go there. Without a free number it is empty, and errno says so.
[[nodiscard]] CUBIND_EXPORT Descriptor beside_streams(int number) noexcept;

struct ReadResult {
    int error;
    std::size_t bytes;
};

/// Reads until all bytes are read, the file ends or an error occurs.
[[nodiscard]] CUBIND_EXPORT ReadResult read_all(int file, void* data, std::size_t size) noexcept;

/// The result of a write: how many bytes were written, and 0 or an errno.
struct Written {
    std::size_t bytes = 0;
    int error = 0;
};

/// Writes all bytes, also if a signal interrupts it or a pipe is full. A reader that has closed the pipe, or exceeding the limit
/// of the file size, is an error and does not end the process.
CUBIND_EXPORT Written write_all(int file, const void* data, std::size_t size) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
