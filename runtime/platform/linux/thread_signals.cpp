// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/thread_signals.hpp"

#include <csignal>
#include <cstring>
#include <initializer_list>

namespace CUBIND_NAMESPACE::detail {

ThreadSignalBlock::ThreadSignalBlock() noexcept {
    sigset_t all;
    sigfillset(&all);
    for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPIPE, SIGXFSZ, SIGXCPU, SIGPROF}) {
        sigdelset(&all, each);
    }
    sigset_t previous;
    pthread_sigmask(SIG_BLOCK, &all, &previous);
    static_assert(sizeof previous <= sizeof previous_);
    std::memcpy(previous_, &previous, sizeof previous);
}

ThreadSignalBlock::~ThreadSignalBlock() {
    sigset_t previous;
    std::memcpy(&previous, previous_, sizeof previous);
    pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

}  // namespace CUBIND_NAMESPACE::detail
