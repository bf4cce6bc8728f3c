// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/detail/notification.hpp>
#include <cubind/file/file_result.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail::io {
class PendingTransfer;
}

class FileTransfer;

/// Tells the observer when the transfer has ended; at once if it has. Used by completion().
CUBIND_EXPORT void observe(const FileTransfer& transfer, std::unique_ptr<detail::WorkObserver> observer);

/// A transfer that a stream makes; see File::read_async(). It is done when the stream has reached its end: after that,
/// `result()` is what it has done. Copies refer to the same transfer. A transfer needs no object: without one, it still runs, and
/// retains what it uses. Any thread may use it.
class [[nodiscard]] CUBIND_EXPORT FileTransfer {
public:
    /// Creates an object without a transfer, which can be assigned. Its functions throw std::invalid_argument.
    FileTransfer() noexcept = default;
    /// Used by File.
    explicit FileTransfer(std::shared_ptr<detail::io::PendingTransfer> pending) noexcept : pending_(std::move(pending)) {}

    /// Returns whether the transfer has ended, successfully or not.
    [[nodiscard]] bool is_done() const;
    /// Waits until the transfer has ended. Must not be called in a host function.
    void wait() const;
    /// Waits until the transfer has ended, or for this time, and returns whether it has ended. A timeout of 0 does not wait.
    [[nodiscard]] bool wait_for(std::chrono::milliseconds timeout) const;
    /// Returns what the transfer has done. Throws FileError if it has failed, Error if earlier work of the stream has failed, and
    /// std::invalid_argument if it has not ended.
    [[nodiscard]] FileResult result() const;

    /// Returns whether both refer to the same transfer, or both to none.
    [[nodiscard]] friend bool operator==(const FileTransfer&, const FileTransfer&) noexcept = default;

private:
    friend void observe(const FileTransfer& transfer, std::unique_ptr<detail::WorkObserver> observer);

    std::shared_ptr<detail::io::PendingTransfer> pending_;
};

}  // namespace CUBIND_NAMESPACE
