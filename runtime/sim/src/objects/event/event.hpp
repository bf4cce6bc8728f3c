// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "objects/context/context.hpp"
#include "objects/stream/progress.hpp"

namespace CUBIND_NAMESPACE::sim {

struct CaptureMark;

/// An event: a position in the work of a stream, and the time at which it completed. Thread-safe.
class Event {
public:
    using Clock = std::chrono::steady_clock;

    /// One record of an event.
    struct Record {
        Ticket ticket;
        bool exists = false;
        Clock::time_point time;                          ///< completion time, if the event completed when it was recorded
        std::shared_ptr<const Clock::time_point> later;  ///< completion time otherwise; written before the ticket is done

        Clock::time_point completion_time() const noexcept { return later != nullptr ? *later : time; }
    };

    /// Creates an event. `origin` is null, or an event of another context that shares its records with this one.
    Event(CUevent own_handle, std::shared_ptr<Context> owner, unsigned own_flags, std::shared_ptr<Event> origin = nullptr)
        : handle(own_handle),
          context(std::move(owner)),
          flags(own_flags),
          origin_(origin != nullptr && origin->origin_ != nullptr ? origin->origin_ : std::move(origin)) {}

    bool has_timing() const noexcept { return (flags & CU_EVENT_DISABLE_TIMING) == 0; }

    /// Returns the latest record.
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

    /// Returns whether the event was last recorded in a captured stream.
    bool is_captured() const noexcept { return is_captured_.load(std::memory_order_relaxed); }
    /// Returns its position in that capture, or null.
    std::shared_ptr<const CaptureMark> capture_mark() const {
        const std::lock_guard lock(mutex_);
        return mark_;
    }
    void set_capture_mark(std::shared_ptr<const CaptureMark> mark) {
        const std::lock_guard lock(mutex_);
        set_mark(std::move(mark));
    }

    const CUevent handle;
    const std::shared_ptr<Context> context;
    const unsigned flags;

private:
    void set_mark(std::shared_ptr<const CaptureMark> mark) {
        mark_ = std::move(mark);
        is_captured_.store(mark_ != nullptr, std::memory_order_relaxed);
    }

    const std::shared_ptr<Event> origin_;
    mutable std::mutex mutex_;
    Record record_;
    std::atomic<bool> is_captured_{false};
    std::shared_ptr<const CaptureMark> mark_;
};

}  // namespace CUBIND_NAMESPACE::sim
