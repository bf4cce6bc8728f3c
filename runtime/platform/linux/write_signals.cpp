// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/write_signals.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>

namespace CUBIND_NAMESPACE::detail {

namespace {

constexpr int write_signals[] = {SIGPIPE, SIGXFSZ};

sigset_t signals_of(unsigned bits) noexcept {
    sigset_t signals;
    sigemptyset(&signals);
    for (unsigned i = 0; i < 2; ++i) {
        if ((bits >> i & 1) != 0) sigaddset(&signals, write_signals[i]);
    }
    return signals;
}

// Returns the bits of the signals in a set.
unsigned bits_of(const sigset_t& signals) noexcept {
    unsigned bits = 0;
    for (unsigned i = 0; i < 2; ++i) {
        if (sigismember(&signals, write_signals[i]) == 1) bits |= 1u << i;
    }
    return bits;
}

}  // namespace

WithoutWriteSignals::WithoutWriteSignals() noexcept {
    constexpr unsigned all = 0b11;
    const sigset_t signals = signals_of(all);
    sigset_t previous;
    pthread_sigmask(SIG_BLOCK, &signals, &previous);
    const unsigned were_blocked = bits_of(previous);
    blocked_ = all & ~were_blocked;
    sigset_t pending;
    const bool may_be_pending = were_blocked != 0 && sigpending(&pending) == 0;
    discarded_ = may_be_pending ? all & ~bits_of(pending) : all;
}

WithoutWriteSignals::~WithoutWriteSignals() {
    if (has_failed) {
        const sigset_t discarded = signals_of(discarded_);
        constexpr timespec no_wait = {};
        while (sigtimedwait(&discarded, nullptr, &no_wait) > 0 || errno == EINTR) errno = 0;
    }
    const sigset_t blocked = signals_of(blocked_);
    pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
}

}  // namespace CUBIND_NAMESPACE::detail
