// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/tuning.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <semaphore>
#include <utility>

#include "errors/misuse.hpp"
#include "plan/call_order.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using cubind::detail::throw_misuse;
using Indices = std::vector<std::size_t>;

/// Holds back the work that is submitted to a stream, so that events around several calls measure the device and not the host,
/// which takes longer to submit small work. The stream goes on after the destruction, or after 20 ms, in case that a call waits
/// for the stream.
class HeldStream {
public:
    explicit HeldStream(StreamRef stream) : released_(std::make_shared<std::binary_semaphore>(0)) {
        stream.launch_host_function([released = released_] { (void)released->try_acquire_for(std::chrono::milliseconds(20)); });
    }
    HeldStream(const HeldStream&) = delete;
    HeldStream& operator=(const HeldStream&) = delete;
    ~HeldStream() { released_->release(); }

private:
    std::shared_ptr<std::binary_semaphore> released_;
};

class Stopwatch {
public:
    Stopwatch(StreamRef stream, std::size_t count, const AutotuneOptions& options, const std::function<void(std::size_t)>& submit)
        : stream_(stream), options_(options), submit_(submit) {
        for (std::size_t i = 0; i < count; ++i)
            events_.emplace_back(stream.record({.timing_enabled = true}), stream.record({.timing_enabled = true}));
    }

    /// Adds the time of a call in some rounds to those of each of these candidates.
    void time(const Indices& candidates, int rounds, std::vector<std::vector<Milliseconds>>& times) {
        for (int round = 0; round < rounds; ++round) {
            {
                const HeldStream held(stream_);
                for (const std::size_t i : candidates) {
                    stream_.record(events_[i].first);
                    for (int done = 0; done < options_.calls; ++done) submit_(i);
                    stream_.record(events_[i].second);
                }
            }
            events_[candidates.back()].second.synchronize();
            for (const std::size_t i : candidates)
                times[i].push_back((events_[i].second - events_[i].first) / static_cast<float>(options_.calls));
        }
    }

private:
    StreamRef stream_;
    const AutotuneOptions& options_;
    const std::function<void(std::size_t)>& submit_;
    std::vector<std::pair<Event, Event>> events_;
};

Milliseconds median(std::vector<Milliseconds> times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// A difference of less than 1 % can be noise, so that the library's choice remains.
bool is_faster(Milliseconds time, Milliseconds other) {
    return time < 0.99f * other;
}

}  // namespace

void check_tuning(const char* operation, StreamRef stream, const AutotuneOptions& options) {
    if (options.candidates < 1 || options.rounds < 1 || options.calls < 1) {
        throw_misuse(operation, ": ", options.candidates, " candidates with ", options.rounds, " rounds of ", options.calls,
                     " calls, but each number must be at least 1");
    }
    if (is_captured(stream)) throw_misuse(operation, ": the stream is captured into a graph, in which nothing can be timed");
}

Ranking rank(StreamRef stream, std::size_t count, const AutotuneOptions& options,
             const std::function<void(std::size_t)>& submit) {
    Stopwatch stopwatch(stream, count, options, submit);
    Indices order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::vector<Milliseconds>> times(count);
    stopwatch.time(order, 1, times);
    const Milliseconds first_best = std::min_element(times.begin(), times.end())->front();
    Indices promising;
    for (const std::size_t i : order) {
        if (i == 0 || times[i].front() <= 2.0f * first_best) promising.push_back(i);
    }
    stopwatch.time(promising, options.rounds - 1, times);

    Ranking ranking;
    for (const auto& each : times) ranking.times.push_back(median(each));
    const auto by_time = [&](std::size_t left, std::size_t right) { return ranking.times[left] < ranking.times[right]; };
    std::stable_sort(order.begin() + 1, order.end(), by_time);
    // The lowest of many times is low by chance, too, so that the two candidates are timed again.
    if (count > 1 && is_faster(ranking.times[order[1]], ranking.times[0])) {
        std::vector<std::vector<Milliseconds>> again(count);
        stopwatch.time({0, order[1]}, options.rounds, again);
        if (is_faster(median(again[order[1]]), median(again[0]))) std::stable_sort(order.begin(), order.end(), by_time);
    }
    ranking.order = std::move(order);
    return ranking;
}

}  // namespace CUBIND_NAMESPACE::math::detail
