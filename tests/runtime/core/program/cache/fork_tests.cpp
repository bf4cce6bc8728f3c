// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Caches in a child process that was forked while threads of the parent used them.
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <latch>
#include <memory>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "cache_test.hpp"
#include "sanitizers.hpp"

namespace cubind::testing {
namespace {

class CacheForkTest : public FileCacheTest {
protected:
    static constexpr unsigned max_seconds = 30;  // until an alarm ends a child

    /// Forks. The child calls the function and exits with its result.
    template <class Function>
    static pid_t start(Function&& function) {
        std::fflush(stdout);
        const pid_t child = ::fork();
        if (child != 0) return child;
        ::alarm(max_seconds);
        ::_exit(function());
    }
    /// Returns the exit status of a child; -1 if a signal has ended it.
    static int end_of(pid_t child) {
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    /// Returns whether a process has locked the file.
    static bool is_locked(const std::filesystem::path& file) {
        const int opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
        const bool is_locked = opened >= 0 && ::flock(opened, LOCK_EX | LOCK_NB) != 0;
        ::close(opened);
        return is_locked;
    }

    const std::filesystem::path lock = folder / (key(1).to_string() + ".lock");
};

TEST_F(CacheForkTest, ChildCompilesWhatAThreadOfTheParentCompiles) {
    InMemoryProgramCache cache;
    std::latch entered(1), end(1);
    std::thread thread([&] {
        cache.get_or_compile(key(1), [&] {
            entered.count_down();
            end.wait();
            return program(10);
        });
    });
    entered.wait();
    const pid_t child = start([&] {
        return cache.get_or_compile(
                   key(1), [] { return program(20); }, long_timeout) == program(20)
                   ? 0
                   : 1;
    });
    EXPECT_EQ(end_of(child), 0);
    end.count_down();
    thread.join();
    EXPECT_EQ(cache.get(key(1)), program(10));
}

TEST_F(CacheForkTest, ChildUsesTheCacheThatThreadsOfTheParentUse) {
    if (CUBIND_TEST_ADDRESS_SANITIZER) GTEST_SKIP() << "the address sanitizer's allocator may be locked in children";
    InMemoryProgramCache memory(1000);
    FileProgramCache file({"/dev/null/folder"});  // reports a problem for each call
    const CleanupHandler handler = set_cleanup_handler(nullptr);
    std::atomic<bool> is_over = false;
    std::vector<std::thread> threads;
    for (std::uint64_t thread = 0; thread < 3; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::uint64_t number = thread; !is_over; number += 7) {
                memory.get_or_compile(key(number % 30), [] { return program(50); });
                (void)file.get(key(1));
            }
        });
    }
    const auto use = [&] {
        for (std::uint64_t number = 0; number < 30; ++number) {
            if (memory.get_or_compile(key(number), [] { return program(50); }) != program(50)) return 1;
        }
        return file.get(key(1)) ? 2 : 0;
    };
    int failures = 0;
    for (int fork = 0; fork < 200 && failures == 0; ++fork) failures += end_of(start(use)) == 0 ? 0 : 1;
    EXPECT_EQ(failures, 0);
    is_over = true;
    for (std::thread& each : threads) each.join();
    set_cleanup_handler(handler);
}

ProgramCache* reporting_cache = nullptr;

// Uses the cache whose problem it receives, and forks.
void use_and_fork(const char*) noexcept {
    if (reporting_cache->get(key(1))) ::_exit(1);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
}

TEST_F(CacheForkTest, HandlerOfAProblemMayUseTheCacheAndFork) {
    const pid_t child = start([] {
        FileProgramCache cache({"/dev/null/folder"});
        reporting_cache = &cache;
        set_cleanup_handler(use_and_fork);
        return cache.get(key(1)) ? 1 : 0;
    });
    EXPECT_EQ(end_of(child), 0);
}

TEST_F(CacheForkTest, ChildThatReturnsFromACompileLeavesTheLockOfTheParent) {
    FileProgramCache cache(options());
    pid_t child = -1;
    const Bytes compiled = cache.get_or_compile(key(1), [&] {
        child = ::fork();
        if (child != 0) {
            EXPECT_EQ(end_of(child), 0);
            EXPECT_TRUE(is_locked(lock));
        }
        return program(10);
    });
    if (child == 0) ::_exit(compiled == program(10) ? 0 : 1);
    EXPECT_EQ(cache.get(key(1)), program(10));
    EXPECT_FALSE(std::filesystem::exists(lock));
}

TEST_F(CacheForkTest, ChildOfAKilledProcessHasNoLock) {
    int grandchild[2], end[2];
    ASSERT_EQ(::pipe2(grandchild, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(end, O_CLOEXEC), 0);
    char one;
    const pid_t killed = start([&] {
        FileProgramCache(options()).get_or_compile(key(1), [&]() -> Bytes {
            if (::fork() != 0) {
                for (;;) ::pause();
            }
            EXPECT_EQ(::write(grandchild[1], "x", 1), 1);
            EXPECT_EQ(::read(end[0], &one, 1), 1);
            ::_exit(0);
        });
        return 1;
    });
    ASSERT_EQ(::read(grandchild[0], &one, 1), 1);
    EXPECT_TRUE(is_locked(lock));
    ::kill(killed, SIGKILL);
    EXPECT_EQ(end_of(killed), -1);
    EXPECT_FALSE(is_locked(lock));
    EXPECT_EQ(::write(end[1], "x", 1), 1);
    for (const int each : {grandchild[0], grandchild[1], end[0], end[1]}) ::close(each);
}

}  // namespace
}  // namespace cubind::testing
