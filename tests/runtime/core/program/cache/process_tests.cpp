// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "cache_test.hpp"

namespace cubind::testing {
namespace {

/// A pipe by which one process signals another.
class Signal {
public:
    Signal() {
        if (::pipe2(ends_, O_CLOEXEC) != 0) std::abort();
    }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;
    ~Signal() { ::close(ends_[0]), ::close(ends_[1]); }

    void send() const { EXPECT_EQ(::write(ends_[1], "x", 1), 1); }
    void wait() const {
        char one;
        EXPECT_EQ(::read(ends_[0], &one, 1), 1);
    }

private:
    int ends_[2];
};

class CacheProcessTest : public FileCacheTest {
protected:
    template <class Function>
    static pid_t start(Function&& function) {
        std::fflush(stdout);
        const pid_t child = ::fork();
        if (child != 0) return child;
        function();
        std::fflush(stdout);
        ::_exit(HasFailure() ? 1 : 0);
    }
    static void expect_success(pid_t child) {
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    static void kill(pid_t child) {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }
    /// Appends a byte to one file for each compile, in any process.
    void count_compile() const {
        const int file = ::open(counter.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        EXPECT_EQ(::write(file, "c", 1), 1);
        ::close(file);
    }
    /// Starts a process that holds the lock of a key and never ends its compile.
    pid_t start_hanging(const CacheKey& of) {
        const pid_t child = start([&] {
            FileProgramCache(options()).get_or_compile(of, [&]() -> Bytes {
                entered.send();
                for (;;) ::pause();
            });
        });
        entered.wait();
        return child;
    }

    /// Returns how often this process has the file open.
    static std::ptrdiff_t count_open(const std::filesystem::path& file) {
        const auto is_file = [&](const auto& each) {
            std::error_code ignored;  // the descriptor may be closed meanwhile
            return std::filesystem::read_symlink(each.path(), ignored) == file;
        };
        const std::filesystem::directory_iterator all("/proc/self/fd");
        return std::count_if(begin(all), end(all), is_file);
    }

    const std::filesystem::path lock = folder / (key(1).to_string() + ".lock");
    const std::filesystem::path counter = scratch / "compiles";
    Signal entered;
};

TEST_F(CacheProcessTest, CompilesOnceForEightProcesses) {
    Signal ready, go;
    std::vector<pid_t> children;
    for (int child = 0; child < 8; ++child) {
        children.push_back(start([&] {
            FileProgramCache cache(options());
            ready.send();
            go.wait();
            const auto compile = [&] { return count_compile(), program(5000); };
            EXPECT_EQ(cache.get_or_compile(key(1), compile, long_timeout), program(5000));
        }));
    }
    for (int child = 0; child < 8; ++child) ready.wait();
    for (int child = 0; child < 8; ++child) go.send();
    for (const pid_t child : children) expect_success(child);
    EXPECT_EQ(read_file(counter), "c");
    EXPECT_THAT(names(), ::testing::ElementsAre(key(1).to_string() + ".program"));
}

TEST_F(CacheProcessTest, CompilesEachOfManyKeysOnce) {
    std::vector<pid_t> children;
    for (int child = 0; child < 8; ++child) {
        children.push_back(start([&] {
            FileProgramCache cache(options());
            for (unsigned number = 0; number < 40; ++number) {
                const auto compile = [&] { return count_compile(), program(500, number); };
                EXPECT_EQ(cache.get_or_compile(key(number), compile, long_timeout), program(500, number));
            }
        }));
    }
    for (const pid_t child : children) expect_success(child);
    EXPECT_EQ(read_file(counter).size(), 40u);
}

TEST_F(CacheProcessTest, CompilesAfterTheTimeout) {
    const pid_t holder = start_hanging(key(1));
    FileProgramCache cache(options());
    EXPECT_EQ(cache.get_or_compile(
                  key(2), [] { return program(20); }, long_timeout),
              program(20))
        << "other keys are not locked";
    EXPECT_EQ(cache.get_or_compile(
                  key(1), [] { return program(100); }, 5ms),
              program(100));
    EXPECT_EQ(cache.get(key(1)), program(100));
    kill(holder);
}

TEST_F(CacheProcessTest, ReleasesTheLockOfAKilledProcess) {
    kill(start_hanging(key(1)));
    EXPECT_TRUE(std::filesystem::exists(lock));
    EXPECT_EQ(FileProgramCache(options()).get_or_compile(
                  key(1), [] { return program(100); }, long_timeout),
              program(100));
    EXPECT_THAT(names(), ::testing::ElementsAre(key(1).to_string() + ".program"));
}

TEST_F(CacheProcessTest, AcquiresTheLockOfAKilledProcessWhileWaiting) {
    const pid_t holder = start_hanging(key(1));
    Signal about_to_wait;
    const pid_t waiter = start([&] {
        about_to_wait.send();
        EXPECT_EQ(FileProgramCache(options()).get_or_compile(
                      key(1), [] { return program(100); }, long_timeout),
                  program(100));
    });
    about_to_wait.wait();
    kill(holder);
    expect_success(waiter);
}

TEST_F(CacheProcessTest, AcquiresANewLockWhileAChildHoldsTheOldFile) {
    FileProgramCache first(options()), second(options());
    std::jthread waiter;
    pid_t child = 0;
    first.get_or_compile(key(1), [&] {
        child = start([] {
            for (;;) ::pause();
        });
        waiter = std::jthread([&] {
            const auto compile = [&] {
                EXPECT_TRUE(std::filesystem::exists(lock));
                return program(100);
            };
            EXPECT_EQ(second.get_or_compile(key(1), compile, long_timeout), program(100));
        });
        while (count_open(lock) < 2) std::this_thread::yield();
        return Bytes();  // is not stored, so that the waiting thread must compile
    });
    waiter.join();
    EXPECT_FALSE(std::filesystem::exists(lock));
    kill(child);
}

TEST_F(CacheProcessTest, LocksTwoCachesOfOneProcessSeparately) {
    FileProgramCache first(options()), second(options());
    EXPECT_EQ(first.get_or_compile(
                  key(1),
                  [&] {
                      return second.get_or_compile(
                          key(1), [] { return program(20); }, 5ms);
                  },
                  long_timeout),
              program(20));
}

TEST_F(CacheProcessTest, StaysWithinTheLimitWithManyWriters) {
    constexpr std::size_t max_size = 20 * (entry_header_size + 1000);
    std::vector<pid_t> children;
    for (unsigned child = 0; child < 4; ++child) {
        children.push_back(start([&] {
            FileProgramCache cache(options(max_size));
            for (unsigned number = 0; number < 60; ++number) {
                cache.put(key(number * 4 + child), program(1000, number));
                EXPECT_EQ(cache.get(key(number * 4)).value_or(program(1000, number)), program(1000, number));
            }
            EXPECT_EQ(cache.statistics().damaged, 0u);
        }));
    }
    for (const pid_t child : children) expect_success(child);
    FileProgramCache cache(options(max_size));
    EXPECT_LE(cache.size_bytes(), max_size);
    EXPECT_GE(cache.size_bytes(), max_size / 2);
    EXPECT_EQ(names().size() * (entry_header_size + 1000), cache.size_bytes()) << "only programs remain";
}

TEST_F(CacheProcessTest, LeavesNoPartialProgramWhenKilled) {
    for (int turn = 0; turn < 20; ++turn) {
        const pid_t writer = start([&] {
            FileProgramCache cache(options(std::size_t{64} << 20));
            for (unsigned number = 0;; ++number) {
                cache.put(key(number % 4), program(100000, number % 4));
                entered.send();
            }
        });
        for (int wait = 0; wait < turn + 1; ++wait) entered.wait();
        kill(writer);
        FileProgramCache cache(options(std::size_t{64} << 20));
        for (unsigned number = 0; number < 4; ++number) {
            EXPECT_EQ(cache.get(key(number)).value_or(program(100000, number)), program(100000, number));
        }
        EXPECT_EQ(cache.statistics().damaged, 0u);
    }
}

}  // namespace
}  // namespace cubind::testing
