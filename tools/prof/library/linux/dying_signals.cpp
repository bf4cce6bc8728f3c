// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "library/dying_signals.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cubind::prof {

namespace {

constexpr int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGUSR1, SIGUSR2, SIGALRM};
constexpr int max_wait_milliseconds = 2000;

sem_t wake;
std::atomic<bool> is_dying{false}, are_written{false};
std::atomic<long> writer{0};  // number of the writing thread
std::atomic<pid_t> process{0};

long this_thread() noexcept {
    return ::syscall(SYS_gettid);
}

// The signal ends the program when the handler returns: a fault happens again, and another signal is sent again.
void handle(int number, siginfo_t*, void*) {
    const int error = errno;
    if (::getpid() == process && this_thread() != writer && !are_written) {
        is_dying = true;
        ::sem_post(&wake);
        const timespec pause{0, 1'000'000};
        for (int i = 0; i < max_wait_milliseconds && !are_written; ++i) ::nanosleep(&pause, nullptr);
    }
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
    ::raise(number);
    errno = error;
}

}  // namespace

void install_dying_signals() noexcept {
    process = ::getpid();
    ::sem_init(&wake, 0, 0);
    for (const int each : signals) {
        struct sigaction action {};
        if (::sigaction(each, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_DFL)
            continue;
        action = {};
        action.sa_sigaction = handle;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(each, &action, nullptr);
    }
}

bool wait_for_signal(unsigned milliseconds) noexcept {
    if (writer == 0) writer = this_thread();
    timespec until{};
    ::clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += static_cast<long>(milliseconds) * 1'000'000;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    while (::sem_timedwait(&wake, &until) != 0 && errno == EINTR) {
    }
    return is_dying;
}

void wake_writer() noexcept {
    ::sem_post(&wake);
}

void records_are_written() noexcept {
    are_written = true;
}

}  // namespace cubind::prof
