// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nccl/communicators.hpp>
#include <cubind/nccl_core/communicator.hpp>

#include <algorithm>
#include <thread>

#include "support/communicator_state.hpp"

namespace CUBIND_NAMESPACE::nccl {

using cubind::detail::throw_misuse;
using detail::CommunicatorState;

namespace {

using Clock = std::chrono::steady_clock;

// Aborts a communicator whose work has failed. A failure to abort is reported, because the cause is thrown.
void abort_after_failure(CommunicatorState& state) noexcept {
    if (state.handle != nullptr) detail::report(ncclCommAbort(std::exchange(state.handle, nullptr)), "abort a communicator");
}

// Polls NCCL and `is_done` until both are done. Throws after it has aborted the communicator.
template <class IsDone>
void poll(CommunicatorState& state, std::chrono::milliseconds timeout, IsDone is_done) {
    if (timeout.count() < 0) throw_misuse("a timeout of ", timeout.count(), " ms is negative: pass 0 to poll once");
    constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365);  // the clock overflows after 292 years
    const auto begin = Clock::now();
    const auto end = begin + std::min(timeout, longest);
    try {
        for (;;) {
            const bool done = is_done();
            const ncclResult_t status = detail::checked(ncclCommGetAsyncError(state.handle), state.place());
            if (!detail::has_begun(status)) detail::throw_failed_work(status, state.place(), describe(status));
            if (done && status == ncclSuccess) return;
            const auto now = Clock::now();
            if (now >= end) {
                detail::throw_failed_work(
                    ncclTimeout, state.place(),
                    cubind::detail::concat("the work has not ended within ", timeout.count(),
                                           " ms: a rank has ended, is late, or has not made the same calls"));
            }
            // Short waits are precise; long ones leave the processor to others.
            const auto pause = std::min<Clock::duration>((now - begin) / 8, std::chrono::milliseconds(1));
            std::this_thread::sleep_for(std::min(pause, end - now));
        }
    } catch (...) {
        abort_after_failure(state);
        throw;
    }
}

}  // namespace

void Communicator::wait(StreamRef stream, std::chrono::milliseconds timeout) {
    CommunicatorState& own = state();
    if (stream.is_capturing()) {
        throw_misuse(
            "wait: the stream is capturing, so that its work does not run yet: wait for a stream in which the graph was "
            "launched");
    }
    poll(own, timeout, [&] { return stream.is_done(); });
}

void Communicator::wait_until_ready(std::chrono::milliseconds timeout) {
    poll(state(), timeout, [] { return true; });
    static_cast<void>(rank());
    static_cast<void>(size());
}

}  // namespace CUBIND_NAMESPACE::nccl
