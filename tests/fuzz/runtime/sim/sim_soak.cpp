// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// sim_soak [CALLS [SEED [THREADS]]]: that many random calls of the simulated driver, on one machine after another. Says how fast
// they were, which statuses they gave, and which functions never succeeded. Ends with 1 if calls took too long.

#include <csignal>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <thread>
#include <vector>

#include "simulated_run.hpp"

using namespace cubind::fuzz;

namespace {

constexpr std::uint64_t calls_of_a_run = 2000;
constexpr unsigned most_seconds_of_a_run = 300;

struct Callable {
    const Function& function;
    void* address;
    bool has_behaviour;
    std::uint64_t rarity;  ///< it is called once for so many calls of another
};

// Ends of objects are rare, so that some live for a while, and rarer still waits for values, most of which nobody writes.
std::uint64_t rarity(std::string_view name) {
    constexpr std::string_view ends[] = {"Destroy", "Free", "Release", "Reset", "PopCurrent", "SetCurrent", "Detach", "Unload", "Close"};
    constexpr std::string_view waits[] = {"WaitValue", "BatchMemOp"};
    const auto is_in = [&](std::string_view word) { return name.find(word) != name.npos; };
    return std::ranges::any_of(ends, is_in) ? 4 : std::ranges::any_of(waits, is_in) ? 64 : 1;
}

struct Counts {
    std::map<cubind::driver::CUresult, std::uint64_t> statuses;
    std::vector<std::uint64_t> calls;
    std::vector<std::uint64_t> successes;

    explicit Counts(std::size_t functions) : calls(functions), successes(functions) {}
    void add(const Counts& other) {
        for (const auto& [status, count] : other.statuses) statuses[status] += count;
        for (std::size_t place = 0; place < calls.size(); ++place) {
            calls[place] += other.calls[place];
            successes[place] += other.successes[place];
        }
    }
};

class Soak {
public:
    explicit Soak(std::uint64_t seed) : seed_(seed) {
        for (const Function& function : functions()) {
            if (has_behaviour(function)) simulated_.push_back(all_.size());
            all_.push_back({function, address_of(function), has_behaviour(function), rarity(function.name)});
        }
    }

    /// Of each thread, on one machine.
    void run(std::uint64_t calls, unsigned threads) {
        alarm(most_seconds_of_a_run);
        Choices choices(++seed_);
        const SimulatedRun run(choices, pools_);
        std::vector<Counts> counts(threads, Counts(all_.size()));
        std::vector<std::thread> running;
        for (Counts& each : counts) {
            running.emplace_back([this, &each, calls, seed = choices.word()] { call(calls, seed, each); });
        }
        for (std::thread& each : running) each.join();
        for (const Counts& each : counts) counts_.add(each);
    }

    void report(double seconds) const {
        std::uint64_t total = 0;
        for (const auto& [status, count] : counts_.statuses) total += count;
        std::printf("%llu calls in %.1f s, %.0f a second, of %zu functions, %zu of them simulated\n", static_cast<unsigned long long>(total),
                    seconds, static_cast<double>(total) / seconds, all_.size(), simulated_.size());
        for (const auto& [status, count] : counts_.statuses) std::printf("status %d: %llu\n", status, static_cast<unsigned long long>(count));
        std::size_t called = 0;
        for (std::size_t place = 0; place < all_.size(); ++place) called += counts_.calls[place] != 0;
        std::printf("%zu functions were called\n", called);
        for (std::size_t place = 0; place < all_.size(); ++place) {
            const bool never = all_[place].has_behaviour && counts_.calls[place] != 0 && counts_.successes[place] == 0;
            if (never) std::printf("never succeeded: %s, %llu calls\n", all_[place].function.name, static_cast<unsigned long long>(counts_.calls[place]));
        }
    }

private:
    void call(std::uint64_t calls, std::uint64_t seed, Counts& counts) {
        Choices choices(seed);
        Caller caller(choices, pools_);
        while (calls > 0) {
            const std::size_t place = choices.one_in(16) ? choices.below(all_.size()) : simulated_[choices.below(simulated_.size())];
            const Callable& next = all_[place];
            if (!choices.one_in(next.rarity)) continue;
            --calls;
            latest.store(next.function.name, std::memory_order_relaxed);
            const auto status = caller.call(next.function, next.address);
            ++counts.statuses[status];
            ++counts.calls[place];
            counts.successes[place] += status == cubind::driver::CUDA_SUCCESS;
        }
        latest.store("the end", std::memory_order_relaxed);
    }

    std::uint64_t seed_;
    std::vector<Callable> all_;
    std::vector<std::size_t> simulated_;
    Pools pools_{pool_count()};
    Counts counts_{functions().size()};

public:
    static std::atomic<const char*> latest;  ///< function that was called
};

std::atomic<const char*> Soak::latest{"nothing"};

std::uint64_t argument(int count, char** arguments, int place, std::uint64_t otherwise) {
    return place < count ? std::strtoull(arguments[place], nullptr, 10) : otherwise;
}

void say_what_hangs(int) {
    const char* const name = Soak::latest.load(std::memory_order_relaxed);
    for (const char* text : {"took too long; called last: ", name, "\n"}) {
        if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
    }
    std::abort();
}

}  // namespace

// Random calls copy and fill the same memory at the same time, which is their own mistake: where its bytes are touched, and nowhere else.
extern "C" const char* __tsan_default_suppressions() {
    return "race:cubind::sim::(anonymous namespace)::copy(\n"
           "race:cubind::sim::(anonymous namespace)::fill_rows<\n"
           "race:^copy$\n"  // the same where they are inlined and have line tables only
           "race:^fill_rows<\n";
}

int main(int count, char** arguments) {
    const std::uint64_t calls = argument(count, arguments, 1, 200000);
    const std::uint64_t seed = argument(count, arguments, 2, 1);
    const auto threads = static_cast<unsigned>(argument(count, arguments, 3, 1));
    if (calls == 0 || threads == 0) return 2;
    std::signal(SIGALRM, say_what_hangs);
    Soak soak(seed * 1000003);
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t done = 0; done < calls; done += calls_of_a_run * threads) {
        soak.run(std::min(calls_of_a_run, (calls - done + threads - 1) / threads), threads);
    }
    soak.report(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return 0;
}
