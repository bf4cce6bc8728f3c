// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// sim_soak [CALLS [SEED [THREADS]]]: makes random calls of the simulated driver, on a new simulated machine after every 2000
// calls of a thread. Reports the rate of the calls, the number of each status, and the functions that never succeeded. Aborts if
// the calls on one machine take too long.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "simulated_run.hpp"

using namespace cubind::fuzz;

namespace {

constexpr std::uint64_t calls_per_run = 2000;
constexpr unsigned max_seconds_per_run = 300;

struct Callable {
    const Function& function;
    void* address;
    bool is_simulated;
    std::uint64_t rarity;  ///< a function of rarity 1 is called this many times as often
};

// Functions that destroy objects are rare, so that some objects live for a while. Waits for values are rarer, because most of the
// values are never written.
std::uint64_t rarity(std::string_view name) {
    constexpr std::string_view destroying[] = {"Destroy",    "Free",   "Release", "Reset", "PopCurrent",
                                               "SetCurrent", "Detach", "Unload",  "Close"};
    constexpr std::string_view waiting[] = {"WaitValue", "BatchMemOp"};
    const auto is_in_name = [&](std::string_view word) { return name.find(word) != name.npos; };
    return std::ranges::any_of(destroying, is_in_name) ? 4 : std::ranges::any_of(waiting, is_in_name) ? 64 : 1;
}

struct Counts {
    std::map<cubind::driver::CUresult, std::uint64_t> statuses;
    std::vector<std::uint64_t> calls;
    std::vector<std::uint64_t> successes;

    explicit Counts(std::size_t functions) : calls(functions), successes(functions) {}
    void add(const Counts& other) {
        for (const auto& [status, count] : other.statuses) statuses[status] += count;
        for (std::size_t index = 0; index < calls.size(); ++index) {
            calls[index] += other.calls[index];
            successes[index] += other.successes[index];
        }
    }
};

class Soak {
public:
    explicit Soak(std::uint64_t seed) : seed_(seed) {
        for (const Function& function : functions()) {
            if (is_simulated(function)) simulated_.push_back(all_.size());
            all_.push_back({function, address_of(function), is_simulated(function), rarity(function.name)});
        }
    }

    /// Makes `calls` calls in each of `threads` threads on one machine.
    void run(std::uint64_t calls, unsigned threads) {
        alarm(max_seconds_per_run);
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
        std::printf("%llu calls in %.1f s, %.0f per second, of %zu functions, %zu of them simulated\n",
                    static_cast<unsigned long long>(total), seconds, static_cast<double>(total) / seconds, all_.size(),
                    simulated_.size());
        for (const auto& [status, count] : counts_.statuses)
            std::printf("status %d: %llu\n", status, static_cast<unsigned long long>(count));
        std::size_t called = 0;
        for (std::size_t index = 0; index < all_.size(); ++index) called += counts_.calls[index] != 0;
        std::printf("%zu functions were called\n", called);
        for (std::size_t index = 0; index < all_.size(); ++index) {
            const bool never_succeeded = all_[index].is_simulated && counts_.calls[index] != 0 && counts_.successes[index] == 0;
            if (never_succeeded)
                std::printf("never succeeded: %s, %llu calls\n", all_[index].function.name,
                            static_cast<unsigned long long>(counts_.calls[index]));
        }
    }

private:
    void call(std::uint64_t calls, std::uint64_t seed, Counts& counts) {
        Choices choices(seed);
        Caller caller(choices, pools_);
        while (calls > 0) {
            const std::size_t index =
                choices.one_in(16) ? choices.below(all_.size()) : simulated_[choices.below(simulated_.size())];
            const Callable& next = all_[index];
            if (!choices.one_in(next.rarity)) continue;
            --calls;
            latest.store(next.function.name, std::memory_order_relaxed);
            const auto status = caller.call(next.function, next.address);
            ++counts.statuses[status];
            ++counts.calls[index];
            counts.successes[index] += status == cubind::driver::CUDA_SUCCESS;
        }
        latest.store("none, all calls of the thread have returned", std::memory_order_relaxed);
    }

    std::uint64_t seed_;
    std::vector<Callable> all_;
    std::vector<std::size_t> simulated_;
    Pools pools_{pool_count()};
    Counts counts_{functions().size()};

public:
    static std::atomic<const char*> latest;  ///< name of the function that was called last
};

std::atomic<const char*> Soak::latest{"nothing"};

std::uint64_t argument(int count, char** arguments, int index, std::uint64_t default_value) {
    return index < count ? std::strtoull(arguments[index], nullptr, 10) : default_value;
}

void report_timeout(int) {
    const char* const name = Soak::latest.load(std::memory_order_relaxed);
    for (const char* text : {"The calls took too long. Last function called: ", name, "\n"}) {
        if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
    }
    std::abort();
}

}  // namespace

// Random calls copy and fill the same memory concurrently. These data races are in the calls, not in the driver, and are
// suppressed only where the driver accesses the bytes.
extern "C" const char* __tsan_default_suppressions() {
    return "race:::sim::(anonymous namespace)::copy_rows(\n"
           "race:::sim::(anonymous namespace)::fill_rows<\n"
           "race:^copy_rows$\n"  // matches the same functions if they are inlined and only line tables exist
           "race:^fill_rows<\n";
}

int main(int count, char** arguments) {
    const std::uint64_t calls = argument(count, arguments, 1, 200000);
    const std::uint64_t seed = argument(count, arguments, 2, 1);
    const auto threads = static_cast<unsigned>(argument(count, arguments, 3, 1));
    if (calls == 0 || threads == 0) return 2;
    std::signal(SIGALRM, report_timeout);
    Soak soak(seed * 1000003);
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t done = 0; done < calls; done += calls_per_run * threads) {
        soak.run(std::min(calls_per_run, (calls - done + threads - 1) / threads), threads);
    }
    soak.report(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return 0;
}
