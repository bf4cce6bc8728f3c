// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <unistd.h>
#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// An owner of a file descriptor. A negative number means that it owns none.
class Descriptor {
public:
    Descriptor() noexcept = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    int number() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }

private:
    int number_ = -1;
};

/// The result of a read: an errno if it failed, else 0, and whether all bytes were read.
struct ReadResult {
    int error;
    bool is_whole;
};

/// Reads until all bytes are read, the file ends or an error occurs.
[[nodiscard]] CUBIND_EXPORT ReadResult read_all(int file, void* data, std::size_t size) noexcept;

/// Writes all bytes and returns 0 or an errno. Exceeding the limit of the file size is an error, too, and does not end
/// the process.
[[nodiscard]] CUBIND_EXPORT int write_all(int file, const void* data, std::size_t size) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
