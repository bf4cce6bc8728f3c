// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sampler.hpp"

#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calls/driver.hpp"
#include "statistics.hpp"

namespace CUBIND_NAMESPACE::profile::detail {
namespace {

constexpr std::size_t max_calls_per_sample = 1000;

}  // namespace

bool end_open_capture(StreamRef stream) {
    // A capture that a call has made invalid must be ended, too.
    const driver::CUstreamCaptureStatus state = cubind::check(driver::cuStreamIsCapturing(stream.native_handle()));
    if (state == driver::CU_STREAM_CAPTURE_STATUS_NONE) return false;
    const auto [status, graph] = driver::cuStreamEndCapture(stream.native_handle());
    if (status == driver::CUDA_SUCCESS && graph != nullptr) (void)driver::cuGraphDestroy(graph);
    return true;
}

Sampler::Sampler(const SweepOptions& options, StreamRef stream)
    : options_(options),
      stream_(stream),
      context_(stream.context()),
      start_(context_, {.timing_enabled = true}),
      stop_(context_, {.timing_enabled = true}) {
    if (!options.flush_l2) return;
    const Device device = stream.device();
    const int size = device.properties().l2_cache_size();
    if (size <= 0) {
        cubind::detail::throw_misuse(
            "the device states no size of its L2 cache, so that a sweep cannot flush it; set flush_l2 = false");
    }
    evicting_ = device.allocate(stream, 2 * static_cast<std::size_t>(size));
}

void Sampler::call(const Case& c, const std::function<void(const Case&)>& function, std::size_t calls) const {
    for (std::size_t i = 0; i < calls; ++i) function(c);
    if (end_open_capture(stream_)) {
        cubind::detail::throw_misuse(
            "the function of the sweep left a capture of its stream open; end it in the same call (GraphBuilder::end_building)");
    }
    if (!context_.is_current()) context_.set_current();
}

Sampler::Sample Sampler::take(const Case& c, const std::function<void(const Case&)>& function, std::size_t calls) const {
    if (options_.flush_l2) fill(stream_, evicting_, std::uint8_t{0});
    stream_.record(start_);
    const auto begin = Clock::now();
    call(c, function, calls);
    const Seconds host = Clock::now() - begin;
    stream_.record(stop_);
    stop_.synchronize();
    const Seconds device = stop_ - start_;
    const auto count = static_cast<double>(calls);
    return {device.count() / count, host.count() / count};
}

// Measures with more and more calls, because a sample of one short call is imprecise, and takes the shortest time of a call,
// because a sample that something else has delayed would make all samples too short.
std::size_t Sampler::choose_calls(const Case& c, const std::function<void(const Case&)>& function, Clock::time_point end) const {
    if (options_.flush_l2) return 1;
    if (options_.calls_per_sample > 0) return options_.calls_per_sample;
    constexpr int least_attempts = 3;
    constexpr int most_attempts = 6;
    const double wanted = Seconds(options_.batch_time).count();
    std::size_t calls = 1;
    double shortest = std::numeric_limits<double>::max();
    for (int attempt = 1; attempt <= most_attempts && Clock::now() < end; ++attempt) {
        shortest = std::min(shortest, std::max(take(c, function, calls).device, 1e-9));
        if (shortest >= 2000 * wanted) break;  // more attempts would take long
        const double needed = std::min(std::ceil(wanted / shortest), static_cast<double>(max_calls_per_sample));
        if (attempt >= least_attempts && needed <= static_cast<double>(calls)) break;
        calls = std::max(calls, static_cast<std::size_t>(needed));
    }
    return calls;
}

bool Sampler::is_complete(const Statistics& statistics) const noexcept {
    return statistics.samples >= options_.min_repeats && statistics.coverage >= options_.confidence &&
           statistics.spread() <= options_.spread;
}

Measurement Sampler::measure(const Case& c, const std::function<void(const Case&)>& function) const {
    const auto end = Clock::now() + options_.time_limit;
    Measurement result{.configuration = c.configuration()};
    for (std::size_t i = 0; i < options_.warm_up && (i == 0 || Clock::now() < end); ++i) call(c, function, 1);
    stream_.synchronize();
    result.calls_per_sample = choose_calls(c, function, end);

    Samples device;
    Samples host;
    // The statistics of few samples are cheap, and later they change slowly.
    for (std::size_t next_check = options_.min_repeats;;) {
        const Sample sample = take(c, function, result.calls_per_sample);
        device.add(sample.device);
        host.add(sample.host);
        const bool is_last = device.count() >= options_.max_repeats || Clock::now() >= end;
        if (!is_last && device.count() < next_check) continue;
        next_check = device.count() + 1 + device.count() / 16;
        result.device = device.statistics(options_.confidence);
        result.ended_by = is_complete(result.device)               ? EndedBy::spread
                          : device.count() >= options_.max_repeats ? EndedBy::repeats
                                                                   : EndedBy::time;
        if (is_last || result.ended_by == EndedBy::spread) break;
    }
    if (options_.host_time) result.host = host.statistics(options_.confidence);
    return result;
}

}  // namespace CUBIND_NAMESPACE::profile::detail
