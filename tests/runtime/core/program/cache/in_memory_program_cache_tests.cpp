// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/in_memory_program_cache.hpp>

#include <list>
#include <random>
#include <thread>

#include "cache_test.hpp"

namespace cubind::testing {
namespace {

TEST(InMemoryProgramCacheTest, ReturnsOnlyStoredPrograms) {
    InMemoryProgramCache cache;
    EXPECT_EQ(cache.get(key(1)), std::nullopt);
    cache.put(key(1), program(100));
    EXPECT_EQ(cache.get(key(1)), program(100));
    EXPECT_EQ(cache.get(key(2)), std::nullopt);
    CacheKey similar = key(1);
    similar.bytes.back() = std::byte{1};
    EXPECT_EQ(cache.get(similar), std::nullopt);
    EXPECT_EQ(cache.statistics().hits, 1u);
    EXPECT_EQ(cache.statistics().misses, 3u);
}

TEST(InMemoryProgramCacheTest, SharesTheBytes) {
    InMemoryProgramCache cache;
    const Bytes put = program(100);
    cache.put(key(1), put);
    EXPECT_EQ(cache.get(key(1))->data(), put.data());
}

TEST(InMemoryProgramCacheTest, ReplacesTheProgramOfAKey) {
    InMemoryProgramCache cache(1000);
    cache.put(key(1), program(600));
    cache.put(key(1), program(700, 2));
    EXPECT_EQ(cache.get(key(1)), program(700, 2));
    EXPECT_EQ(cache.size_bytes(), 700u);
    EXPECT_EQ(cache.statistics().evictions, 0u);
}

TEST(InMemoryProgramCacheTest, EvictsTheLeastRecentlyUsed) {
    InMemoryProgramCache cache(300);
    for (unsigned number = 1; number <= 3; ++number) cache.put(key(number), program(100, number));
    EXPECT_TRUE(cache.get(key(1)));
    cache.put(key(4), program(100, 4));
    EXPECT_FALSE(cache.get(key(2)));
    cache.put(key(5), program(150, 5));
    EXPECT_FALSE(cache.get(key(3)));
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_TRUE(cache.get(key(4)));
    EXPECT_TRUE(cache.get(key(5)));
    EXPECT_EQ(cache.size_bytes(), 250u);
    EXPECT_EQ(cache.statistics().evictions, 3u);
}

TEST(InMemoryProgramCacheTest, StoresUpToItsMaximumSize) {
    InMemoryProgramCache cache(300);
    cache.put(key(1), program(300));
    EXPECT_TRUE(cache.get(key(1)));
    cache.put(key(2), program(301));
    EXPECT_FALSE(cache.get(key(2)));
    EXPECT_TRUE(cache.get(key(1))) << "a program that is not stored evicts nothing";
    cache.put(key(1), program(301));
    EXPECT_FALSE(cache.get(key(1))) << "the older program of the key is outdated";
    EXPECT_EQ(cache.size_bytes(), 0u);
}

TEST(InMemoryProgramCacheTest, StoresNothingWithASizeOfZero) {
    InMemoryProgramCache cache(0);
    cache.put(key(1), program(1));
    cache.put(key(2), Bytes());
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_FALSE(cache.get(key(2)));
}

TEST(InMemoryProgramCacheTest, ErasesOneOrAll) {
    InMemoryProgramCache cache;
    for (unsigned number = 1; number <= 3; ++number) cache.put(key(number), program(100, number));
    cache.erase(key(2));
    cache.erase(key(9));
    EXPECT_FALSE(cache.get(key(2)));
    EXPECT_TRUE(cache.get(key(1)));
    EXPECT_EQ(cache.size_bytes(), 200u);
    cache.clear();
    EXPECT_FALSE(cache.get(key(1)));
    EXPECT_EQ(cache.size_bytes(), 0u);
    cache.put(key(1), program(10));
    EXPECT_TRUE(cache.get(key(1)));
}

TEST(InMemoryProgramCacheTest, CountsProgramsWithoutUsingThem) {
    InMemoryProgramCache cache(300);
    EXPECT_EQ(cache.count(), 0u);
    for (unsigned number = 1; number <= 3; ++number) cache.put(key(number), program(100, number));
    EXPECT_EQ(cache.count(), 3u);
    EXPECT_TRUE(cache.contains(key(1)));
    EXPECT_FALSE(cache.contains(key(4)));
    EXPECT_EQ(cache.statistics().hits + cache.statistics().misses, 0u);
    cache.put(key(4), program(100, 4));
    EXPECT_FALSE(cache.contains(key(1))) << "contains() did not mark the oldest program as used";
    EXPECT_TRUE(cache.contains(key(2)));
    EXPECT_EQ(cache.count(), 3u);
    cache.erase(key(2));
    EXPECT_EQ(cache.count(), 2u);
    cache.clear();
    EXPECT_EQ(cache.count(), 0u);
}

TEST(InMemoryProgramCacheTest, MatchesASimpleModelOverManySteps) {
    constexpr std::size_t max_size = 1000;
    InMemoryProgramCache cache(max_size);
    std::list<std::pair<CacheKey, Bytes>> model;  // the most recently used one is the first
    const auto find = [&](const CacheKey& of) {
        return std::find_if(model.begin(), model.end(), [&](auto& each) { return each.first == of; });
    };
    const auto size = [&] {
        std::size_t sum = 0;
        for (auto& each : model) sum += each.second.size();
        return sum;
    };
    std::minstd_rand random(7);
    for (int step = 0; step < 20000; ++step) {
        const CacheKey of = key(random() % 30);
        const auto place = find(of);
        switch (random() % 8) {
            case 0:
                cache.erase(of);
                if (place != model.end()) model.erase(place);
                break;
            case 1:
            case 2:
            case 3: {
                const Bytes bytes = program(1 + random() % 400, static_cast<unsigned>(step));
                cache.put(of, bytes);
                if (place != model.end()) model.erase(place);
                model.emplace_front(of, bytes);
                while (size() > max_size) model.pop_back();
                break;
            }
            default:
                ASSERT_EQ(cache.get(of), place == model.end() ? std::nullopt : std::optional(place->second)) << step;
                if (place != model.end()) model.splice(model.begin(), model, place);
        }
        ASSERT_EQ(cache.size_bytes(), size()) << step;
        ASSERT_EQ(cache.count(), model.size()) << step;
        ASSERT_EQ(cache.contains(of), find(of) != model.end()) << step;
    }
    EXPECT_GT(cache.statistics().evictions, 1000u);
}

TEST(InMemoryProgramCacheTest, StaysWithinItsLimitWithManyThreads) {
    InMemoryProgramCache cache(5000);
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&cache, thread] {
            std::minstd_rand random(thread + 1);
            for (int step = 0; step < 3000; ++step) {
                const unsigned number = static_cast<unsigned>(random() % 50);
                if (random() % 2 == 0) cache.put(key(number), program(100 + number, number));
                if (random() % 100 == 0) cache.clear();
                if (random() % 10 == 0) cache.erase(key(number));
                const Bytes expected = program(100 + number, number);
                EXPECT_EQ(cache.get(key(number)).value_or(expected), expected);
                EXPECT_LE(cache.size_bytes(), 5000u);
            }
        });
    }
}

}  // namespace
}  // namespace cubind::testing
