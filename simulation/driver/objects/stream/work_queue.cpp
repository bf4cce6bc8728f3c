// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/stream/work_queue.hpp"

#include <cubind/driver/strings.hpp>

#include <exception>
#include <new>

#include "shared/threads.hpp"
#include "support/calls.hpp"
#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constinit thread_local bool is_in_host_function = false;

}  // namespace

bool WorkQueue::push(std::vector<Ticket> prerequisites, Work work) {
    Piece piece{std::move(prerequisites), std::move(work),
                observed_origin.call};  // destroyed without the lock if it is not added
    Threads& threads = Threads::instance();
    const std::lock_guard lock(mutex_);
    pieces_.emplace_back();
    if (threads_ != &threads) {
        bool is_started = false;
        try {
            is_started = threads.start([self = shared_from_this()] { self->run(); });
        } catch (...) {
            pieces_.pop_back();
            throw;
        }
        if (!is_started) {
            pieces_.pop_back();
            return false;
        }
        threads_ = &threads;
    }
    pieces_.back() = std::move(piece);
    pushed_.fetch_add(1, std::memory_order_release);
    return true;
}

void WorkQueue::run() noexcept {
    std::vector<Piece> ready;
    for (;;) {
        poll_until([this] { return !is_idle(); });
        {
            const CallScope scope;
            const std::lock_guard lock(mutex_);
            if (pieces_.empty()) {
                threads_ = nullptr;  // another thread runs later work
                return;
            }
            ready.swap(pieces_);
        }
        for (Piece& piece : ready) {
            for (const Ticket& prerequisite : piece.prerequisites) prerequisite.wait();
            if (piece.work) perform(piece);
            piece = {};  // releases what the work retains before the ticket is done
            progress_->advance();
        }
        ready.clear();
    }
}

// An exception must not end the process, because no caller of the thread could handle it.
void WorkQueue::perform(const Piece& piece) noexcept {
    const ObservedOriginScope origin({piece.call, place});
    try {
        piece.work();
    } catch (const std::bad_alloc&) {
        fail(CUDA_ERROR_OUT_OF_MEMORY, "the host has no memory left");
    } catch (const std::exception& error) {
        fail(CUDA_ERROR_LAUNCH_FAILED, error.what());
    } catch (...) {
        fail(CUDA_ERROR_LAUNCH_FAILED, "a host function threw an object that is not derived from std::exception");
    }
}

void WorkQueue::fail(CUresult status, const char* reason) noexcept {
    report("work of a stream", "", to_string(status), reason);
    if (device_ != nullptr) device_->set_fault(status, "work of a stream", "", reason);
}

bool WorkQueue::is_calling_host_function() noexcept {
    return is_in_host_function;
}

WorkQueue::HostFunctionScope::HostFunctionScope() noexcept {
    is_in_host_function = true;
}

WorkQueue::HostFunctionScope::~HostFunctionScope() {
    is_in_host_function = false;
}

}  // namespace CUBIND_NAMESPACE::sim
