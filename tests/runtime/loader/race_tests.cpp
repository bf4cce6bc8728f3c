// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Tests threads that make the first call at the same time. These tests also run under ThreadSanitizer.
#include <cubind/call.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include "loader_test.hpp"

namespace cubind::testing {

namespace {

constexpr int thread_count = 8;
constexpr int rounds = 50;

// Runs `body(thread)` on all threads. A spin loop starts them at nearly the same time.
template <class Body>
void race(Body body) {
    std::atomic<int> waiting{thread_count};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < thread_count; ++thread) {
        threads.emplace_back([&, thread] {
            --waiting;
            while (waiting.load() != 0) {
                std::this_thread::yield();
            }
            body(static_cast<std::size_t>(thread));
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

int forwarded() {
    return 0;
}

}  // namespace

class LoaderRaceTest : public LoaderTest {};

TEST_F(LoaderRaceTest, EightFirstCallsSucceed) {
    set(override_variable, place(13, "stand_in.so"));
    for (int round = 0; round < rounds; ++round) {
        Library& row = toolkit_row();
        EntryPoint& add = entry_in(row, "stand_in_add");
        int sums[thread_count] = {};
        int statuses[thread_count] = {};
        const char* paths[thread_count] = {};
        race([&](std::size_t thread) {
            statuses[thread] = call<int(int, int, int*)>(add, static_cast<int>(thread), 1, &sums[thread]);
            paths[thread] = library_path(row);
        });
        for (int thread = 0; thread < thread_count; ++thread) {
            EXPECT_EQ(statuses[thread], 0);
            EXPECT_EQ(sums[thread], thread + 1);
            EXPECT_EQ(paths[thread], paths[0]) << "two searches stored their results";
        }
    }
}

TEST_F(LoaderRaceTest, EightMissesReturnTheSameMessage) {
    for (const bool library_exists : {false, true}) {
        if (library_exists) {
            set(override_variable, place(13, "stand_in.so"));
        }
        for (int round = 0; round < rounds; ++round) {
            Library& row = toolkit_row();
            EntryPoint& absent = entry_in(row, "stand_in_of_the_future");
            const char* details[thread_count] = {};
            race([&](std::size_t thread) {
                EXPECT_EQ(address_of(absent), nullptr);
                details[thread] = last_failure().detail;
            });
            for (const char* detail : details) {
                EXPECT_EQ(detail, details[0]);
            }
        }
    }
}

TEST_F(LoaderRaceTest, AFirstCallPreservesAnExchangedAddress) {
    set(override_variable, place(13, "stand_in.so"));
    Library& row = toolkit_row();
    ASSERT_TRUE(load(row));
    void* const layer = reinterpret_cast<void*>(&forwarded);
    for (int round = 0; round < rounds * 20; ++round) {
        EntryPoint& add = entry_in(row, "stand_in_add");
        void* below_layer = nullptr;
        race([&](std::size_t thread) {
            if (thread == 0) {
                below_layer = exchange_address(add, layer);
            } else {
                EXPECT_NE(address_of(add), nullptr);
            }
        });
        ASSERT_EQ(address_of(add), layer);
        ASSERT_NE(below_layer, nullptr);
    }
}

}  // namespace cubind::testing
