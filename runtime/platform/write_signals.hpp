// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <errno.h>
#include <initializer_list>
#include <signal.h>
#include <time.h>

namespace CUBIND_NAMESPACE::detail {

/// Discards the signals that failed writes send to the calling thread and that would end the process: SIGPIPE for a pipe without
/// a reader, and SIGXFSZ beyond the limit of the size of files. Signals that were pending before remain pending.
class WithoutWriteSignals {
public:
    WithoutWriteSignals() noexcept {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGPIPE);
        sigaddset(&signals_, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &signals_, &previous_);
        const bool may_be_pending = sigismember(&previous_, SIGPIPE) == 1 || sigismember(&previous_, SIGXFSZ) == 1;
        sigset_t pending;
        if (!may_be_pending || sigpending(&pending) != 0) return;
        for (const int each : {SIGPIPE, SIGXFSZ}) {
            if (sigismember(&pending, each) == 1) sigdelset(&signals_, each);
        }
    }
    ~WithoutWriteSignals() {
        if (has_failed) {
            constexpr timespec no_wait = {};
            while (sigtimedwait(&signals_, nullptr, &no_wait) > 0 || errno == EINTR) errno = 0;
        }
        pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
    }
    WithoutWriteSignals(const WithoutWriteSignals&) = delete;
    WithoutWriteSignals& operator=(const WithoutWriteSignals&) = delete;

    bool has_failed = false;  ///< whether a write has failed, so that a signal may be pending

private:
    sigset_t signals_;
    sigset_t previous_;
};

}  // namespace CUBIND_NAMESPACE::detail
