// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "context/context.hpp"
#include "stream/progress.hpp"

namespace cubind::sim {

struct CapturedMark;

/// A mark in the work of a stream, and when it was reached. Thread-safe.
class Event {
public:
    using Clock = std::chrono::steady_clock;

    /// One recording of an event.
    struct Record {
        Ticket ticket;
        bool exists = false;
        Clock::time_point time;                          ///< of a mark that was reached at once
        std::shared_ptr<const Clock::time_point> later;  ///< of any other: written before the ticket is done

        Clock::time_point reached() const noexcept { return later != nullptr ? *later : time; }
    };

    /// `origin`, if not null, is an event of another context whose recordings are this one's, too.
    Event(CUevent own_handle, std::shared_ptr<Context> owner, unsigned own_flags, std::shared_ptr<Event> origin = nullptr)
        : handle(own_handle), context(std::move(owner)), flags(own_flags),
          origin_(origin != nullptr && origin->origin_ != nullptr ? origin->origin_ : std::move(origin)) {}

    bool has_timing() const noexcept { return (flags & CU_EVENT_DISABLE_TIMING) == 0; }

    /// The latest recording.
    Record record() const {
        if (origin_ != nullptr) return origin_->record();
        const std::lock_guard lock(mutex_);
        return record_;
    }
    bool is_done() const {
        if (origin_ != nullptr) return origin_->is_done();
        const std::lock_guard lock(mutex_);
        return record_.ticket.is_done();
    }
    void set_record(Record record) {
        if (origin_ != nullptr) return origin_->set_record(std::move(record));
        const std::lock_guard lock(mutex_);
        if (is_captured()) set_mark(nullptr);
        record_ = std::move(record);
    }

    /// Whether it was last recorded in a stream that was captured, and the mark that it has there.
    bool is_captured() const noexcept { return is_captured_.load(std::memory_order_relaxed); }
    std::shared_ptr<const CapturedMark> captured() const {
        const std::lock_guard lock(mutex_);
        return mark_;
    }
    void set_captured(std::shared_ptr<const CapturedMark> mark) {
        const std::lock_guard lock(mutex_);
        set_mark(std::move(mark));
    }

    const CUevent handle;
    const std::shared_ptr<Context> context;
    const unsigned flags;

private:
    void set_mark(std::shared_ptr<const CapturedMark> mark) {
        mark_ = std::move(mark);
        is_captured_.store(mark_ != nullptr, std::memory_order_relaxed);
    }

    const std::shared_ptr<Event> origin_;
    mutable std::mutex mutex_;
    Record record_;
    std::atomic<bool> is_captured_{false};
    std::shared_ptr<const CapturedMark> mark_;
};

}  // namespace cubind::sim
