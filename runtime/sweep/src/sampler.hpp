// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/sweep/sweep.hpp>

#include <chrono>
#include <cstddef>
#include <functional>

namespace CUBIND_NAMESPACE::profile::detail {

/// Ends a capture that the function of a sweep has left open, without its graph. Returns whether there was one.
bool end_open_capture(StreamRef stream);

/// Measures configurations on one stream, one after another.
class Sampler {
public:
    /// Creates the events, and the memory that overwrites the L2 cache. `options` must outlive the object.
    Sampler(const SweepOptions& options, StreamRef stream);

    /// Measures until the spread is small, or a limit is reached. Throws what the function throws.
    [[nodiscard]] Measurement measure(const Case& c, const std::function<void(const Case&)>& function) const;

private:
    struct Sample {
        double device = 0;  ///< seconds of a call
        double host = 0;
    };
    using Clock = std::chrono::steady_clock;

    Sample take(const Case& c, const std::function<void(const Case&)>& function, std::size_t calls) const;
    void call(const Case& c, const std::function<void(const Case&)>& function, std::size_t calls) const;
    std::size_t choose_calls(const Case& c, const std::function<void(const Case&)>& function, Clock::time_point end) const;
    bool is_complete(const Statistics& statistics) const noexcept;

    const SweepOptions& options_;
    StreamRef stream_;
    ContextRef context_;
    Event start_;
    Event stop_;
    mutable Buffer evicting_;
};

}  // namespace CUBIND_NAMESPACE::profile::detail
