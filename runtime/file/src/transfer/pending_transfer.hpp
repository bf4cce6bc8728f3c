// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/detail/notification.hpp>
#include <cubind/cufile/types.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "transfer/operand.hpp"

namespace CUBIND_NAMESPACE::detail::io {

/// A transfer of a stream. The stream, its FileTransfer and a batch share it. It retains the file, the buffer of the memory, the
/// pinned buffers, and the parameters that cuFile reads and writes when the stream reaches the transfer.
class PendingTransfer {
public:
    PendingTransfer(std::shared_ptr<const OpenFile> file, Direction direction, const Operand& operand);

    /// Demands the route posix, before submit().
    void use_posix() noexcept { result_.route = FileRoute::posix; }
    /// Submits the transfer. If this throws, nothing of it runs any more.
    static void submit(const std::shared_ptr<PendingTransfer>& pending, StreamRef stream);

    /// Lets the parts that have not begun do nothing. For the route posix.
    void cancel() noexcept { is_cancelled_ = true; }

    [[nodiscard]] bool is_done() const;
    void wait() const;
    /// Returns whether the transfer has ended.
    [[nodiscard]] bool wait_until(std::chrono::steady_clock::time_point end) const;
    /// Returns the result of a transfer that has ended. Throws as FileTransfer::result() does.
    [[nodiscard]] FileResult result() const;
    /// Returns whether result() of a transfer that has ended returns.
    [[nodiscard]] bool has_succeeded() const noexcept {
        return status_ == driver::CUDA_SUCCESS && returned_by_cufile_ >= 0 && error_ == 0;
    }
    /// Returns whether a transfer that has ended did so because of cancel().
    [[nodiscard]] bool was_cancelled() const noexcept;

    void observe(std::unique_ptr<WorkObserver> observer);
    /// Called once when the stream has reached the end, on a thread of the driver, or if there is nothing to do.
    void finish(driver::CUresult status) noexcept;

private:
    // One call of cuFile, which reads and writes these fields later.
    struct Part {
        std::size_t size;
        std::int64_t file_offset;
        std::int64_t memory_offset;
        std::int64_t done;
    };

    static void submit_cufile(const std::shared_ptr<PendingTransfer>& self, StreamRef stream);
    static void submit_on_host(const std::shared_ptr<PendingTransfer>& self, StreamRef stream);
    static void submit_read(const std::shared_ptr<PendingTransfer>& self, StreamRef stream);
    static void submit_write(const std::shared_ptr<PendingTransfer>& self, StreamRef stream);
    [[nodiscard]] std::size_t size_at(std::size_t begin) const noexcept;

    // Host functions. Those of one transfer run in order.
    void read_part(std::byte* chunk, std::size_t begin) noexcept;
    void write_part(const std::byte* chunk, std::size_t begin) noexcept;
    void transfer_on_host() noexcept;
    [[nodiscard]] bool has_ended_early() noexcept;

    void collect_parts() noexcept;

    const std::shared_ptr<const OpenFile> file_;
    const Direction direction_;
    const Operand operand_;
    std::shared_ptr<const void> memory_;
    std::unique_ptr<Bounce> bounce_;
    std::vector<Part> parts_;

    std::atomic<bool> is_cancelled_{false};
    FileResult result_;
    std::ptrdiff_t returned_by_cufile_ = 0;  // negative if it has failed
    int error_ = 0;                          // an errno

    mutable std::mutex mutex_;
    mutable std::condition_variable ended_;
    bool is_done_ = false;
    driver::CUresult status_ = driver::CUDA_SUCCESS;
    // Destroyed with this object, where CUDA may be called.
    std::vector<std::unique_ptr<WorkObserver>> observers_;  // none is added after the end
    std::vector<std::unique_ptr<WorkObserver>> late_observers_;
};

}  // namespace CUBIND_NAMESPACE::detail::io
