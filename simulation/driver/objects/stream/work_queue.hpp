// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "objects/device/device.hpp"
#include "objects/stream/progress.hpp"
#include "support/observe.hpp"

namespace CUBIND_NAMESPACE::sim {

class Threads;

/// A queue of work, which one thread performs in order. The queue occupies the thread only while it has work. Thread-safe.
class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
public:
    using Work = std::function<void()>;

    /// `device` may be null. Work that throws an exception is reported, and the exception becomes a fault of the device.
    explicit WorkQueue(Device* device = nullptr, const WorkPlace& own_place = {})
        : place(own_place), device_(device), progress_(std::make_shared<Progress>()) {}

    /// Adds `work`, which may be empty. It starts after all previous work and after `prerequisites`, which must be older than
    /// this work. Returns false and adds nothing if the system cannot create a thread.
    bool push(std::vector<Ticket> prerequisites, Work work);

    /// Returns the ticket of the latest piece of work.
    Ticket last_ticket() const noexcept { return {progress_, pushed_.load(std::memory_order_acquire)}; }
    /// Checks whether all work is done. Takes no lock.
    bool is_idle() const noexcept { return progress_->has_reached(pushed_.load(std::memory_order_acquire)); }

    /// Checks whether the calling thread runs a host function, which a program submitted to a stream.
    static bool is_calling_host_function() noexcept;
    /// Calls a host function. In the meantime is_calling_host_function() is true on this thread.
    template <class Function>
    static void call_host_function(const Function& function) {
        const HostFunctionScope scope;
        function();
    }

    const WorkPlace place;  ///< for observers

private:
    /// Marks the calling thread as one that runs a host function.
    class HostFunctionScope {
    public:
        HostFunctionScope() noexcept;
        ~HostFunctionScope();
        HostFunctionScope(const HostFunctionScope&) = delete;
        HostFunctionScope& operator=(const HostFunctionScope&) = delete;
    };

    struct Piece {
        std::vector<Ticket> prerequisites;
        Work work;
        std::uint32_t call = 0;  ///< that has submitted the work, see ObservedOrigin
    };

    /// Performs the work until none is left.
    void run() noexcept;
    void perform(const Piece& piece) noexcept;

    /// Reports that work failed.
    void fail(driver::CUresult status, const char* reason) noexcept;

    Device* const device_;
    mutable std::mutex mutex_;
    std::vector<Piece> pieces_;
    std::atomic<std::uint64_t> pushed_{0};  ///< written under the lock
    const Threads* threads_ = nullptr;      ///< threads that run the queue, in a child of fork() maybe the parent's; or null
    const std::shared_ptr<Progress> progress_;
};

}  // namespace CUBIND_NAMESPACE::sim
