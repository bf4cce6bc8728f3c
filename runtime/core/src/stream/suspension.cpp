// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/detail/suspension.hpp>

#include <system_error>
#include <thread>

#include "lifetime/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// The steps of a wait, in any order except that `posted` is the last.
constexpr unsigned int armed = 1;
constexpr unsigned int ended = 2;
constexpr unsigned int posted = 4;

}  // namespace

void Suspension::end(driver::CUresult status, bool is_cancelled) noexcept {
    if (has_end_.exchange(true)) return;
    status_ = status;
    is_cancelled_ = is_cancelled;
    post_once(ended);
}

void Suspension::arm() noexcept {
    post_once(armed);
}

// The second of both steps posts. If the executor throws, this thread resumes the coroutine, because nothing else would.
void Suspension::post_once(unsigned int step) noexcept {
    if (steps_.fetch_or(step) == 0) return;
    const std::shared_ptr<Suspension> self = shared_from_this();
    try {
        post();
    } catch (...) {
        if (!is_resumed_.exchange(true)) {
            failure_of_executor_ = std::current_exception();
            coroutine_.resume();
        }
    }
    self->steps_.fetch_or(posted);
}

void Suspension::leave() noexcept {
    if (is_resumed_.exchange(true)) return;
    if (!has_end_.exchange(true)) return;                             // nothing posts from now on
    if ((steps_.load() & armed) == 0) return;                         // await_suspend() has thrown
    while ((steps_.load() & posted) == 0) std::this_thread::yield();  // another thread posts
}

void Suspension::check() const {
    if (failure_of_executor_ != nullptr) std::rethrow_exception(failure_of_executor_);
    if (is_cancelled_) throw_cancelled();
    if (status_ != driver::CUDA_SUCCESS) throw_failure_of_work(status_);
    destroy_ready_objects();
}

void throw_cancelled() {
    throw std::system_error(std::make_error_code(std::errc::operation_canceled),
                            "the wait for work of a device was cancelled by its std::stop_token");
}

}  // namespace CUBIND_NAMESPACE::detail
