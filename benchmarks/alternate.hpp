// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Times the same call made in several ways. Batches of all ways alternate within one process, so that all ways have the same
/// memory layout and slow phases of the machine affect them equally. The figure of a way is the median of its batches.
///
///     Alternation calls(argc, argv);
///     calls.add("event record", "plain", 256, [&] { expect(record(event, stream)); }, wait);
///     calls.add("event record", "StreamRef", 256, [&] { stream.record(event); }, wait);
///     return calls.run();   // prints {"event record/plain": 127.6, "event record/StreamRef": 127.9}, nanoseconds per call
class Alternation {
public:
    /// Reads --batches=N, the number of batches of each way, and --only=TEXT, which selects calls whose name contains the text.
    Alternation(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) {
            if (std::strncmp(argv[i], "--batches=", 10) == 0) batches_ = std::max(1, std::atoi(argv[i] + 10));
            if (std::strncmp(argv[i], "--only=", 7) == 0) only_ = argv[i] + 7;
        }
    }

    /// Adds a way to make a call. A batch of `size` calls is timed. `before` runs before each batch and `after` after it;
    /// neither is timed.
    template <class Call>
    void add(
        const std::string& call, const std::string& way, int size, Call one, std::function<void()> after = [] {},
        std::function<void()> before = [] {}) {
        if (call.find(only_) == std::string::npos) return;
        calls_[call].push_back({way, [=]() mutable {
                                    before();
                                    const auto begin = std::chrono::steady_clock::now();
                                    for (int done = 0; done < size; ++done) one();
                                    const auto end = std::chrono::steady_clock::now();
                                    after();
                                    return std::chrono::duration<double, std::nano>(end - begin).count() / size;
                                }});
    }

    /// Adds a way whose batch returns the time of a call in nanoseconds.
    void add_timed(const std::string& call, const std::string& way, std::function<double()> batch) {
        if (call.find(only_) != std::string::npos) calls_[call].push_back({way, std::move(batch)});
    }

    /// Times all calls, prints the medians as JSON, and returns the exit status.
    int run() {
        const char* separator = "{";
        for (auto& [call, ways] : calls_) {
            for (const auto& [way, times] : times_of(ways)) {
                std::printf("%s\n\"%s/%s\": %.3f", separator, call.c_str(), way.c_str(), median(times));
                separator = ",";
            }
        }
        std::printf("\n}\n");
        return 0;
    }

private:
    struct Way {
        std::string name;
        std::function<double()> batch;
    };

    std::map<std::string, std::vector<double>> times_of(std::vector<Way>& ways) const {
        std::map<std::string, std::vector<double>> times;
        for (Way& way : ways) (void)way.batch();  // the first batch warms up
        // The order changes in each round, so that each way follows every other way equally often.
        for (int round = 0; round < batches_; ++round) {
            std::rotate(ways.begin(), ways.begin() + 1, ways.end());
            if (round % 2 != 0) std::reverse(ways.begin(), ways.end());
            for (Way& way : ways) times[way.name].push_back(way.batch());
        }
        return times;
    }

    static double median(std::vector<double> values) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    }

    int batches_ = 200;
    std::string only_;
    std::map<std::string, std::vector<Way>> calls_;
};

/// Makes the compiler compute the value.
template <class Type>
void use(const Type& value) {
    asm volatile("" : : "g"(&value) : "memory");
}
