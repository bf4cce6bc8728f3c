// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "transfer/pending_transfer.hpp"

#include <cubind/core/memory/buffer.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace CUBIND_NAMESPACE::detail::io {

PendingTransfer::PendingTransfer(std::shared_ptr<const OpenFile> file, Direction direction, const Operand& operand)
    : file_(std::move(file)), direction_(direction), operand_(operand) {
    if (operand.buffer != nullptr && operand.size != 0) memory_ = share(*operand.buffer);
    result_.route = operand.is_for_cufile && file_->has(cufile::CU_FILE_STREAMS_SUPPORTED) ? file_->route() : FileRoute::posix;
}

std::size_t PendingTransfer::size_at(std::size_t begin) const noexcept {
    return std::min(bounce_->chunk_size(), operand_.size - begin);
}

// ---- host functions ------------------------------------------------------------------------------------------------------

bool PendingTransfer::has_ended_early() noexcept {
    if (is_cancelled_ && error_ == 0) error_ = ECANCELED;
    return error_ != 0 || result_.reached_end;
}

// Fills the rest of the chunk with zeros: the copy to the device is submitted already, and the rest has bytes of other files.
void PendingTransfer::read_part(std::byte* chunk, std::size_t begin) noexcept {
    const std::uint64_t offset = operand_.offset + begin;
    const std::size_t size = size_at(begin);
    ReadResult read{0, 0};
    if (!has_ended_early()) {
        read = file_->posix().read_chunk(chunk, size, offset);
        error_ = read.error;
        result_.bytes += read.bytes;
        result_.reached_end = read.error == 0 && read.bytes < size;
    }
    std::memset(PosixFile::place_in(chunk, offset) + read.bytes, 0, size - read.bytes);
}

void PendingTransfer::write_part(const std::byte* chunk, std::size_t begin) noexcept {
    if (has_ended_early()) return;
    const Written written = file_->posix().write_chunk(chunk, size_at(begin), operand_.offset + begin);
    error_ = written.error;
    result_.bytes += written.bytes;
}

void PendingTransfer::transfer_on_host() noexcept {
    if (has_ended_early()) return;
    if (direction_ == Direction::write) {
        const Written written = file_->posix().write(operand_.host, operand_.size, operand_.offset);
        error_ = written.error;
        result_.bytes = written.bytes;
        return;
    }
    const ReadResult read = file_->posix().read(operand_.host, operand_.size, operand_.offset);
    error_ = read.error;
    result_.bytes = read.bytes;
    result_.reached_end = read.error == 0 && read.bytes < operand_.size;
}

// ---- the end -------------------------------------------------------------------------------------------------------------

void PendingTransfer::collect_parts() noexcept {
    for (const Part& part : parts_) {
        if (part.done < 0) {
            returned_by_cufile_ = part.done;
            return;
        }
        result_.bytes += static_cast<std::size_t>(part.done);
        if (static_cast<std::size_t>(part.done) < part.size) {
            result_.reached_end = direction_ == Direction::read;
            if (direction_ == Direction::write) error_ = ENOSPC;
            return;
        }
    }
}

void PendingTransfer::finish(driver::CUresult status) noexcept {
    collect_parts();
    // After a failure, the buffers are destroyed with this object.
    if (status == driver::CUDA_SUCCESS && bounce_ != nullptr) file_->bounces().put(bounce_);
    {
        const std::lock_guard lock(mutex_);
        status_ = status;
        is_done_ = true;
        ended_.notify_all();
    }
    for (const auto& each : observers_) each->on_end(status);
}

bool PendingTransfer::is_done() const {
    const std::lock_guard lock(mutex_);
    return is_done_;
}

void PendingTransfer::wait() const {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return is_done_; });
}

bool PendingTransfer::wait_until(std::chrono::steady_clock::time_point end) const {
    std::unique_lock lock(mutex_);
    return ended_.wait_until(lock, end, [this] { return is_done_; });
}

void PendingTransfer::observe(std::unique_ptr<WorkObserver> observer) {
    std::unique_lock lock(mutex_);
    if (!is_done_) return observers_.push_back(std::move(observer));
    late_observers_.push_back(std::move(observer));
    WorkObserver& added = *late_observers_.back();
    lock.unlock();
    added.on_end(status_);
}

bool PendingTransfer::was_cancelled() const noexcept {
    return error_ == ECANCELED;
}

FileResult PendingTransfer::result() const {
    if (status_ != driver::CUDA_SUCCESS) throw_failure_of_work(status_);
    const Where where = where_of(*file_, direction_, operand_).after(result_.bytes);
    const bool is_read = direction_ == Direction::read;
    if (returned_by_cufile_ < 0) {
        throw_cufile_transfer(is_read ? "cuFileReadAsync" : "cuFileWriteAsync", returned_by_cufile_, 0, where);
    }
    if (error_ != 0) throw_system_failure(is_read ? "pread" : "pwrite", error_, where);
    return result_;
}

}  // namespace CUBIND_NAMESPACE::detail::io
