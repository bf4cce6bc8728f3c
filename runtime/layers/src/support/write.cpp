// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/write.hpp"

#include <cerrno>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::layers {

namespace {

// Discards the signals that failed writes send to the calling thread. Signals that were pending before remain pending.
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

}  // namespace

Written write_text(int file, std::string_view text) noexcept {
    const int previous_errno = errno;
    Written result;
    {
        WithoutWriteSignals signals;
        while (result.bytes < text.size() && result.error == 0) {
            const ssize_t written = ::write(file, text.data() + result.bytes, text.size() - result.bytes);
            if (written >= 0) {
                result.bytes += static_cast<std::size_t>(written);
            } else if (errno == EAGAIN) {
                pollfd ready{.fd = file, .events = POLLOUT, .revents = 0};
                if (poll(&ready, 1, -1) < 0 && errno != EINTR) result.error = EAGAIN;
            } else if (errno != EINTR) {
                result.error = errno;
                signals.has_failed = true;
            }
        }
    }
    errno = previous_errno;
    return result;
}

void print_error(std::string_view text) noexcept {
    write_text(STDERR_FILENO, text);
}

}  // namespace CUBIND_NAMESPACE::layers
