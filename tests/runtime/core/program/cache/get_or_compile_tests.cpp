// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/in_memory_program_cache.hpp>

#include <atomic>
#include <future>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>

#include "cache_test.hpp"

namespace cubind::testing {
namespace {

/// Tests of both caches.
class GetOrCompileTest : public FileCacheTest, public ::testing::WithParamInterface<bool> {
protected:
    std::unique_ptr<ProgramCache> make_cache() const {
        if (GetParam()) return std::make_unique<FileProgramCache>(options());
        return std::make_unique<InMemoryProgramCache>();
    }
    const std::unique_ptr<ProgramCache> cache = make_cache();
};

INSTANTIATE_TEST_SUITE_P(Caches, GetOrCompileTest, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "File" : "InMemory"; });

Bytes never_called() {
    throw std::logic_error("this compile must not be called");
}

TEST_P(GetOrCompileTest, CompilesAndStoresAMissingProgram) {
    EXPECT_EQ(cache->get_or_compile(key(1), [] { return program(50); }), program(50));
    EXPECT_EQ(cache->get_or_compile(key(1), never_called), program(50));
    EXPECT_EQ(cache->get(key(1)), program(50));
    const ProgramCacheStatistics statistics = cache->statistics();
    EXPECT_EQ(statistics.hits, 2u);
    EXPECT_EQ(statistics.misses, 1u);
}

TEST_P(GetOrCompileTest, AcceptsCallablesOfEveryKind) {
    struct Counted {
        int count = 0;
        Bytes operator()() { return ++count, program(10); }
    } counted;
    cache->get_or_compile(key(1), counted);
    EXPECT_EQ(counted.count, 1) << "the callable itself is called, not a copy";
    const auto constant = [owner = std::make_unique<int>(10)] { return program(static_cast<std::size_t>(*owner)); };
    EXPECT_EQ(cache->get_or_compile(key(2), constant), program(10));
}

TEST_P(GetOrCompileTest, PropagatesExceptionsAndStoresNothing) {
    EXPECT_THROW(cache->get_or_compile(key(1), []() -> Bytes { throw std::out_of_range("no"); }), std::out_of_range);
    EXPECT_THROW(cache->get_or_compile(key(1), []() -> Bytes { throw 5; }), int);
    EXPECT_EQ(cache->get(key(1)), std::nullopt);
    EXPECT_EQ(cache->get_or_compile(
                  key(1), [] { return program(50); }, long_timeout),
              program(50));
}

TEST_P(GetOrCompileTest, DoesNotStoreAnEmptyProgram) {
    EXPECT_TRUE(cache->get_or_compile(key(1), [] { return Bytes(); }).empty());
    EXPECT_EQ(cache->get_or_compile(key(1), [] { return program(50); }), program(50));
}

TEST_P(GetOrCompileTest, CompilesOnceFor16Threads) {
    std::atomic<int> compiles = 0;
    std::latch all_requested(16);
    // The compile lasts until all threads have requested the key and a little longer. A second compile would begin in this time.
    const auto compile = [&] {
        ++compiles;
        all_requested.wait();
        for (int turn = 0; turn < 1000; ++turn) std::this_thread::yield();
        return program(5000);
    };
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 16; ++thread) {
        threads.emplace_back([&] {
            all_requested.count_down();
            EXPECT_EQ(cache->get_or_compile(key(1), compile, long_timeout), program(5000));
        });
    }
    threads.clear();
    EXPECT_EQ(compiles, 1);
    EXPECT_EQ(cache->statistics().misses, 1u);
    EXPECT_EQ(cache->statistics().hits, 15u) << "each thread counts once, also one that has waited";
}

TEST_P(GetOrCompileTest, CompilesOneKeyWithinAnother) {
    EXPECT_EQ(cache->get_or_compile(
                  key(1),
                  [&] {
                      return cache->get_or_compile(
                                 key(2), [] { return program(20); }, long_timeout),
                             program(10);
                  },
                  long_timeout),
              program(10));
    EXPECT_EQ(cache->get(key(2)), program(20));
}

/// A compile that blocks until may_end is set.
struct BlockedCompile {
    std::promise<void> entered, may_end;

    Bytes operator()() {
        entered.set_value();
        may_end.get_future().wait();
        return program(100, 1);
    }
};

TEST_P(GetOrCompileTest, CompilesAfterTheTimeout) {
    BlockedCompile blocked;
    std::jthread holder([&] { EXPECT_EQ(cache->get_or_compile(key(1), blocked, long_timeout), program(100, 1)); });
    blocked.entered.get_future().wait();
    EXPECT_EQ(cache->get_or_compile(
                  key(1), [] { return program(100, 2); }, 5ms),
              program(100, 2));
    EXPECT_EQ(cache->get_or_compile(key(1), never_called, 5ms), program(100, 2)) << "the result of the second compile is stored";
    blocked.may_end.set_value();
}

TEST_P(GetOrCompileTest, DoesNotWaitForAZeroOrNegativeTimeout) {
    BlockedCompile blocked;
    std::jthread holder([&] { cache->get_or_compile(key(1), blocked, long_timeout); });
    blocked.entered.get_future().wait();
    EXPECT_EQ(cache->get_or_compile(
                  key(1), [] { return program(100, 2); }, 0ms),
              program(100, 2));
    cache->erase(key(1));
    EXPECT_EQ(cache->get_or_compile(
                  key(1), [] { return program(100, 3); }, std::chrono::milliseconds::min()),
              program(100, 3));
    blocked.may_end.set_value();
}

TEST_P(GetOrCompileTest, AcceptsTheLongestTimeout) {
    BlockedCompile blocked;
    std::jthread holder([&] { cache->get_or_compile(key(1), blocked, std::chrono::milliseconds::max()); });
    blocked.entered.get_future().wait();
    std::jthread waiter(
        [&] { EXPECT_EQ(cache->get_or_compile(key(1), never_called, std::chrono::milliseconds::max()), program(100, 1)); });
    blocked.may_end.set_value();
}

TEST_P(GetOrCompileTest, CompilesAfterAFailedCompile) {
    std::promise<void> entered, may_end;
    std::jthread holder([&] {
        const auto fails = [&]() -> Bytes {
            entered.set_value(), may_end.get_future().wait();
            throw std::out_of_range("no");
        };
        EXPECT_THROW(cache->get_or_compile(key(1), fails, long_timeout), std::out_of_range);
    });
    entered.get_future().wait();
    std::jthread waiter([&] {
        EXPECT_EQ(cache->get_or_compile(
                      key(1), [] { return program(100, 2); }, long_timeout),
                  program(100, 2));
    });
    may_end.set_value();
}

/// A cache whose functions all throw.
class BrokenCache : public ProgramCache {
    std::optional<Bytes> do_get(const CacheKey&) override { throw std::runtime_error("get is broken"); }
    void do_put(const CacheKey&, const Bytes&) override { throw std::runtime_error("put is broken"); }
    void do_erase(const CacheKey&) override { throw std::runtime_error("erase is broken"); }
    void do_clear() override { throw 5; }
    bool do_contains(const CacheKey&) const override { throw std::runtime_error("contains is broken"); }
    std::size_t do_count() const override { throw std::runtime_error("count is broken"); }
    std::size_t do_size_bytes() const override { throw std::runtime_error("size is broken"); }
    std::shared_ptr<void> lock_compile(const CacheKey&, std::chrono::steady_clock::time_point) override {
        throw std::runtime_error("lock is broken");
    }
};

TEST(ProgramCacheTest, ReportsItsExceptionsAndCompiles) {
    BrokenCache cache;
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(cache.get_or_compile(key(1), [] { return program(50); }), program(50));
    cache.erase(key(1));
    cache.clear();
    EXPECT_FALSE(cache.contains(key(1)));
    EXPECT_EQ(cache.count(), 0u);
    EXPECT_EQ(cache.size_bytes(), 0u);
    const std::string report = ::testing::internal::GetCapturedStderr();
    for (const char* part : {"get is broken", "put is broken", "erase is broken", "contains is broken", "count is broken",
                             "size is broken", "lock is broken", "unknown type"}) {
        EXPECT_THAT(report, HasSubstr(part));
    }
    EXPECT_EQ(cache.statistics().misses, 1u);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(cache.get_or_compile(key(2), [] { return program(50); }), program(50));
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "each cause is reported once";
}

}  // namespace
}  // namespace cubind::testing
