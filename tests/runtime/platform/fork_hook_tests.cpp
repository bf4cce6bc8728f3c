// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "platform/fork_hook.hpp"

namespace {

using cubind::detail::ForkHook;
using cubind::detail::ForkLevel;
using cubind::detail::StaticForkHook;

// Returns whether `check` holds in a child process.
bool holds_in_child(const std::function<bool()>& check) {
    const pid_t child = fork();
    if (child == 0) _exit(check() ? 0 : 1);
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string events;

// A hook that records the calls of its actions with the character.
class Recorder {
public:
    Recorder(ForkLevel level, char name) : name_(name), hook_(level, this, {hold, release, in_child}) {}

private:
    static void hold(void* self) noexcept { events += {'+', static_cast<Recorder*>(self)->name_}; }
    static void release(void* self) noexcept { events += {'-', static_cast<Recorder*>(self)->name_}; }
    static void in_child(void* self) noexcept { events += {'!', static_cast<Recorder*>(self)->name_}; }

    const char name_;
    const ForkHook hook_;
};

TEST(ForkHookTest, ForkHoldsByLevelsAndReleasesInReverse) {
    const Recorder driver(ForkLevel::driver, 'd');
    const Recorder object(ForkLevel::object, 'o');
    const Recorder layer(ForkLevel::layer, 'l');
    events.clear();
    EXPECT_TRUE(holds_in_child([] { return events == "+o+l+d!d-d!l-l!o-o"; }));
    EXPECT_EQ(events, "+o+l+d-d-l-o");
}

TEST(ForkHookTest, ForkHoldsAMutexAndReleasesIt) {
    std::mutex mutex;
    const ForkHook hook(&mutex);
    std::unique_lock lock(mutex);
    std::atomic<bool> has_forked = false;
    std::thread forking([&] {
        EXPECT_TRUE(holds_in_child([&] { return mutex.try_lock(); }));
        has_forked = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(has_forked);
    lock.unlock();
    forking.join();
    EXPECT_TRUE(mutex.try_lock());
}

TEST(ForkHookTest, RenewsWhatAnotherThreadHasLocked) {
    struct Guarded {
        std::mutex mutex;
        int value = 0;
    };
    alignas(Guarded) std::byte storage[sizeof(Guarded)];
    Guarded& guarded = *new (storage) Guarded;
    const ForkHook hook(guarded.mutex, &guarded, [](void* object) noexcept { new (object) Guarded; });
    const auto is_new = [&] { return guarded.mutex.try_lock() && guarded.value == 0; };
    guarded.value = 1;
    EXPECT_FALSE(holds_in_child(is_new)) << "nobody has locked it";
    const std::lock_guard lock(guarded.mutex);
    std::thread([&] { EXPECT_TRUE(holds_in_child(is_new)); }).join();
}

// fork() waits for the mutex of a thread that adds a hook.
TEST(ForkHookTest, AThreadAddsAHookWhileForkWaitsForIt) {
    static std::atomic<bool> has_begun;
    has_begun = false;
    std::mutex mutex;
    const ForkHook first(ForkLevel::object, nullptr, {.hold = [](void*) noexcept { has_begun = true; }});
    const ForkHook second(ForkLevel::layer, &mutex);
    std::optional<Recorder> added;
    std::unique_lock lock(mutex);
    std::thread forking([&] { EXPECT_TRUE(holds_in_child([&] { return events.empty() && mutex.try_lock(); })); });
    while (!has_begun) std::this_thread::yield();
    events.clear();
    added.emplace(ForkLevel::driver, 'a');
    lock.unlock();
    forking.join();
    EXPECT_EQ(events, "") << "the hook has an effect on a fork() that had begun";
    EXPECT_TRUE(holds_in_child([] { return events == "+a!a-a"; }));
}

TEST(ForkHookTest, AChildAddsAndRemovesHooks) {
    std::optional<Recorder> first(std::in_place, ForkLevel::object, 'a');
    const Recorder second(ForkLevel::object, 'b');
    EXPECT_TRUE(holds_in_child([&] {
        first.reset();
        const Recorder third(ForkLevel::object, 'c');
        events.clear();
        return holds_in_child([] { return events == "+c+b!c!b-c-b"; });
    }));
}

TEST(ForkHookTest, ForksOfSeveralThreadsDoNotDisturbEachOther) {
    std::mutex mutex;
    const ForkHook hook(&mutex);
    std::thread threads[4];
    for (std::thread& each : threads) {
        each = std::thread([&] {
            for (int i = 0; i < 20; ++i) EXPECT_TRUE(holds_in_child([&] { return mutex.try_lock(); }));
        });
    }
    for (std::thread& each : threads) each.join();
}

TEST(ForkHookTest, AStaticHookIsRemovedWithItsLibrary) {
    events.clear();
    const auto record = [](void*) noexcept { events += 'h'; };
    {
        StaticForkHook never_added;
        StaticForkHook hook;
        hook.add(ForkLevel::object, nullptr, ForkHook::Actions{.hold = record});
        EXPECT_TRUE(holds_in_child([] { return events == "h"; }));
    }
    EXPECT_TRUE(holds_in_child([] { return events == "h"; }));
}

}  // namespace
