// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <utility>

namespace CUBIND_NAMESPACE {

/// An owner of a file descriptor of the operating system. Move-only.
///
///     FileDescriptor file = FileDescriptor::from_native_handle(::open(path, O_RDONLY | O_CLOEXEC));
class [[nodiscard]] CUBIND_EXPORT FileDescriptor {
public:
    /// Creates an empty object, which is closed.
    FileDescriptor() noexcept = default;
    /// Takes ownership of a descriptor. Throws std::invalid_argument for a negative number, which open() and other functions of
    /// the operating system return if they fail.
    [[nodiscard]] static FileDescriptor from_native_handle(int number);

    /// Moves the descriptor; `other` is closed afterwards.
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    /// Closes the descriptor, and moves the descriptor of the other object into this one.
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        FileDescriptor moved(std::move(other));
        std::swap(number_, moved.number_);
        return *this;
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    /// Closes the descriptor.
    ~FileDescriptor() { close(); }

    /// Returns the number of the descriptor. Throws std::invalid_argument if the object is closed.
    [[nodiscard]] int native_handle() const;
    /// Gives up ownership and returns the number, or -1 if the object is closed.
    [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }
    /// Closes the descriptor. Closing again does nothing.
    void close() noexcept;
    /// Returns whether the object is empty, or was moved from, closed or released.
    [[nodiscard]] bool is_closed() const noexcept { return number_ < 0; }

private:
    int number_ = -1;
};

/// Sends a copy of the descriptor to the process at the other end of a connected Unix socket (SCM_RIGHTS), together with one byte
/// of data. The caller still owns both arguments. Waits until the socket accepts the message. Throws std::system_error if the
/// operating system fails.
CUBIND_EXPORT void send_descriptor(int socket, const FileDescriptor& descriptor);

/// Waits for a descriptor that send_descriptor() sends. Throws std::system_error if the operating system fails, or with
/// std::errc::connection_reset if the socket was closed, and std::invalid_argument if a message without a descriptor arrives.
[[nodiscard]] CUBIND_EXPORT FileDescriptor receive_descriptor(int socket);

}  // namespace CUBIND_NAMESPACE
