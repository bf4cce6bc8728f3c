// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "platform/descriptor.hpp"
#include "platform/thread_signals.hpp"
#include "platform/write_signals.hpp"

namespace {

using namespace cubind::detail;

bool is_blocked(int signal) {
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    return sigismember(&blocked, signal) == 1;
}

bool is_pending(int signal) {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, signal) == 1;
}

void block(int signal) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

TEST(WriteSignalsTest, AWriteToAClosedPipeIsAnError) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const Descriptor writer(ends[1]);
    close(ends[0]);
    errno = 7;
    EXPECT_EQ(write_all(writer.number(), "text", 4).error, EPIPE);
    EXPECT_EQ(errno, 7);
    EXPECT_FALSE(is_blocked(SIGPIPE));
    EXPECT_FALSE(is_pending(SIGPIPE));
}

TEST(WriteSignalsTest, ASignalOfTheProgramRemainsPendingAndBlocked) {
    block(SIGPIPE);
    raise(SIGPIPE);
    {
        WithoutWriteSignals signals;
        raise(SIGXFSZ);
        signals.has_failed = true;
    }
    EXPECT_TRUE(is_blocked(SIGPIPE));
    EXPECT_TRUE(is_pending(SIGPIPE));
    EXPECT_FALSE(is_blocked(SIGXFSZ));
}

TEST(WriteSignalsTest, AWriteBeyondTheLimitStatesHowMuchWasWritten) {
    const Descriptor file(memfd_create("cubind-limited", MFD_CLOEXEC));
    const rlimit limit{3, RLIM_INFINITY};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const Written written = write_all(file.number(), "12345", 5);
    EXPECT_EQ(written.error, EFBIG);
    EXPECT_EQ(written.bytes, 3u);
}

TEST(ThreadSignalsTest, BlocksWhatAProgramMayWaitFor) {
    block(SIGUSR1);
    {
        const ThreadSignalBlock blocked;
        EXPECT_TRUE(is_blocked(SIGTERM));
        EXPECT_FALSE(is_blocked(SIGSEGV));
    }
    EXPECT_FALSE(is_blocked(SIGTERM));
    EXPECT_TRUE(is_blocked(SIGUSR1));
}

}  // namespace
