// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "objects/context/context.hpp"
#include "objects/event/shared_event.hpp"
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

        std::uint64_t shared_number = 0;  ///< number of the record if processes share it

        Clock::time_point completion_time() const noexcept { return later != nullptr ? *later : time; }
    };

    /// Creates an event. `origin` is null, or an event of another context that shares its records with this one.
    Event(driver::CUevent own_handle, std::shared_ptr<Context> owner, unsigned own_flags, std::shared_ptr<Event> origin = nullptr)
        : Event(own_handle, std::move(owner), own_flags, std::move(origin), nullptr) {}
    /// Creates an event that shares its records with other processes.
    Event(driver::CUevent own_handle, std::shared_ptr<Context> owner, unsigned own_flags, std::shared_ptr<SharedEvent> own_shared)
        : Event(own_handle, std::move(owner), own_flags, nullptr, std::move(own_shared)) {}
    Event(driver::CUevent own_handle, std::shared_ptr<Context> owner, unsigned own_flags, std::shared_ptr<Event> origin,
          std::shared_ptr<SharedEvent> own_shared)
        : handle(own_handle),
          context(std::move(owner)),
          flags(own_flags),
          shared(std::move(own_shared)),
          origin_(origin != nullptr && origin->origin_ != nullptr ? origin->origin_ : std::move(origin)) {}

    bool has_timing() const noexcept { return (flags & driver::CU_EVENT_DISABLE_TIMING) == 0; }

    /// Returns the latest record, of any process.
    Record record() const {
        if (origin_ != nullptr) return origin_->record();
        const std::uint64_t latest = shared != nullptr ? shared->latest() : 0;
        const std::lock_guard lock(mutex_);
        if (latest == record_.shared_number) return record_;
        return {.ticket = {shared, latest}, .exists = true, .time = {}, .later = nullptr, .shared_number = latest};
    }
    bool is_done() const {
        if (origin_ != nullptr) return origin_->is_done();
        if (shared != nullptr) return record().ticket.is_done();
        const std::lock_guard lock(mutex_);
        return record_.ticket.is_done();
    }
    /// Begins a record for other processes, which is complete when the object is destroyed. Returns null if only this process
    /// has the event.
    std::shared_ptr<SharedRecord> begin_shared_record() const {
        if (origin_ != nullptr) return origin_->begin_shared_record();
        return shared != nullptr ? std::make_shared<SharedRecord>(shared) : nullptr;
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

    const driver::CUevent handle;
    const std::shared_ptr<Context> context;
    const unsigned flags;
    const std::shared_ptr<SharedEvent> shared;  ///< records that processes share; null for other events

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
