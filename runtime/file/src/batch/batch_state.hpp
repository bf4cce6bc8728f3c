// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/cufile/types.hpp>
#include <cubind/file/file_batch.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "transfer/pending_transfer.hpp"

namespace CUBIND_NAMESPACE::detail::io {

/// A request of a batch.
struct Request {
    std::shared_ptr<const OpenFile> file;
    Direction direction;
    Operand operand;
    std::shared_ptr<const void> memory = {};
    FileRequestState state = FileRequestState::prepared;
    std::shared_ptr<PendingTransfer> pending = {};  ///< by the route posix
    FileResult result = {};
    std::ptrdiff_t returned_by_cufile = 0;

    [[nodiscard]] bool is_for_cufile() const noexcept {
        return operand.size != 0 && operand.is_for_cufile && file->has(cufile::CU_FILE_BATCH_IO_SUPPORTED);
    }
    [[nodiscard]] bool has_ended() const noexcept { return state > FileRequestState::pending; }
};

/// The requests of a FileBatch.
class BatchState {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit BatchState(std::size_t capacity) noexcept : capacity_(capacity) {}
    BatchState(const BatchState&) = delete;
    BatchState& operator=(const BatchState&) = delete;
    ~BatchState();

    std::size_t add(Request request);
    void submit();
    /// Returns whether this number of requests have ended, or all that were submitted.
    bool wait(std::size_t count, Time end);
    void cancel();
    void clear();

    [[nodiscard]] const Request& at(std::size_t request) const;
    [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::size_t count(FileRequestState state) const noexcept;
    [[nodiscard]] std::size_t ended() const noexcept;

private:
    void submit_to_cufile(const std::vector<Request*>& requests);
    void submit_to_stream(Request& request);
    StreamRef stream_of(ContextRef context);
    [[nodiscard]] std::size_t pending_in_cufile() const noexcept;
    /// Returns a request that ends by itself, or nullptr.
    [[nodiscard]] Request* first_of_streams() noexcept;
    void collect_streams();
    void collect_cufile(std::size_t min_count, std::chrono::nanoseconds timeout);
    void take(const cufile::CUfileIOEvents_t& event) noexcept;
    void destroy_cufile_batch() noexcept;

    const std::size_t capacity_;
    std::vector<Request> requests_;
    cufile::CUfileBatchHandle_t handle_ = nullptr;
    std::vector<cufile::CUfileIOParams_t> parameters_;  // of running requests
    std::vector<cufile::CUfileIOEvents_t> events_;
    std::vector<std::pair<ContextRef, Stream>> streams_;
};

}  // namespace CUBIND_NAMESPACE::detail::io
