// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/file/file.hpp>

#include <chrono>
#include <cstddef>
#include <memory>

namespace CUBIND_NAMESPACE {

namespace detail::io {
class BatchState;
}

/// The state of a request of a batch.
enum class FileRequestState {
    prepared,  ///< not submitted
    pending,   ///< submitted, and not known to have ended
    complete,  ///< ended; it has a result
    failed,    ///< ended; its result throws
    canceled   ///< canceled before it has begun, or while it ran
};

/// Transfers that are submitted together and run side by side, in no order, and not in the order of any stream.
///
///     FileBatch batch(64);
///     for (std::size_t i = 0; i < 64; ++i) batch.read(file, buffer, {.file_offset = offsets[i], .memory_offset = i * size, .size
///     = size}); batch.submit(); if (!batch.wait(std::chrono::seconds(10))) batch.cancel(); FileResult first = batch.result(0);
///
/// Requests of files that use cuFile are one batch of cuFile (cuFileBatchIO...) if it supports batches. Others are transfers of a
/// stream that the batch owns, by the route posix. Requests of both kinds can be in one batch.
///
/// Requests retain their files and buffers; other memory must outlive the batch, and must not be used before the request has
/// ended. The objects are not thread-safe. Movable, not copyable. The destructor cancels requests that have not ended, and waits
/// for those that run.
class [[nodiscard]] CUBIND_EXPORT FileBatch {
public:
    /// Creates a batch for this number of requests. Throws std::invalid_argument for 0.
    [[nodiscard]] explicit FileBatch(std::size_t capacity);

    /// Takes the requests of the other object, which cannot be used then.
    FileBatch(FileBatch&& other) noexcept;
    /// Ends the own requests as the destructor does, and takes those of the other object.
    FileBatch& operator=(FileBatch&& other) noexcept;
    FileBatch(const FileBatch&) = delete;
    FileBatch& operator=(const FileBatch&) = delete;
    ~FileBatch();

    /// Adds a request to read, and returns its number, from 0 on. The arguments are those of File::read(). Throws
    /// std::invalid_argument if the batch is full, and for more than 1 GiB, which one call of cuFile may not transfer.
    template <detail::io::Destination Memory>
    std::size_t read(const File& file, Memory&& memory, const FileRange& range = {}) {
        return add(file, detail::OperandOf<Memory>::view(memory), range, false);
    }
    /// Adds a request to write, like read().
    template <detail::io::Source Memory>
    std::size_t write(const File& file, Memory&& memory, const FileRange& range = {}) {
        return add(file, detail::OperandOf<Memory>::view(memory), range, true);
    }

    /// Submits the requests that were added since the last call (cuFileBatchIOSetUp, cuFileBatchIOSubmit). Does not wait for
    /// streams: earlier work that uses the memory must have completed. Throws FileError if cuFile refuses them; they have failed
    /// then.
    void submit();
    /// Waits until all submitted requests have ended, or for this time, and returns whether they have ended. A timeout of 0 only
    /// asks (cuFileBatchIOGetStatus). Throws std::invalid_argument for a negative timeout.
    [[nodiscard]] bool wait(std::chrono::milliseconds timeout) { return wait_for(size(), timeout); }
    /// Waits until at least `count` requests have ended, or all that were submitted.
    [[nodiscard]] bool wait_for(std::size_t count, std::chrono::milliseconds timeout);
    /// Cancels the requests that have not ended, and waits for those that run (cuFileBatchIOCancel). Throws FileError.
    void cancel();
    /// Removes all requests, so that the batch can be filled again. Throws std::invalid_argument while one is pending.
    void clear();

    /// Returns the state of a request as the latest wait has found it.
    [[nodiscard]] FileRequestState state(std::size_t request) const;
    /// Returns what a request has done. Throws FileError if it has failed or was canceled, and std::invalid_argument if it has
    /// not ended.
    [[nodiscard]] FileResult result(std::size_t request) const;
    /// Returns the number of requests.
    [[nodiscard]] std::size_t size() const;
    /// Returns how many requests the batch can have.
    [[nodiscard]] std::size_t capacity() const;
    /// Returns how many requests have ended, as the latest wait has found it.
    [[nodiscard]] std::size_t ended() const;

private:
    detail::io::BatchState& batch() const;
    std::size_t add(const File& file, const detail::MemoryView& memory, const FileRange& range, bool is_write);

    std::unique_ptr<detail::io::BatchState> state_;
};

}  // namespace CUBIND_NAMESPACE
