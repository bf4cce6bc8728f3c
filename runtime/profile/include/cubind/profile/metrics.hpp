// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Counters of a GPU's hardware over a part of a program.
namespace CUBIND_NAMESPACE::profile {

/// Values of metrics.
class CUBIND_EXPORT Metrics {
public:
    /// Creates the values of metrics that were measured in this number of passes.
    Metrics(std::vector<std::pair<std::string, double>> values, std::size_t passes) noexcept
        : values_(std::move(values)), passes_(passes) {}

    /// Returns the value of a metric. Throws std::invalid_argument if it was not measured.
    [[nodiscard]] double operator[](std::string_view name) const;
    /// Returns the metrics and their values, in the order in which they were asked for.
    [[nodiscard]] const std::vector<std::pair<std::string, double>>& values() const noexcept { return values_; }
    /// Returns how often the work was done.
    [[nodiscard]] std::size_t passes() const noexcept { return passes_; }

private:
    std::vector<std::pair<std::string, double>> values_;
    std::size_t passes_;
};

/// Measures metrics of what `work` does on the device of a context, such as "sm__cycles_elapsed.max" and "dram__bytes.sum", with
/// CUPTI's range profiler (cuptiRangeProfiler*, cuptiProfilerHost*). The names are those of Nsight Compute; `ncu --query-metrics`
/// lists them. The hardware counts a few things at a time, so that `work` is called in several passes, and must do the same each
/// time. Each pass begins and ends with a wait for the context, kernels of the context run one after another, and `work` should
/// use no other context. A process measures one context at a time, and not while a Recorder records kernels.
///
/// Throws std::invalid_argument for an empty list, LoadError if CUPTI is missing, Error if the driver permits counters to
/// administrators only (the message states the remedy), if the device or a metric is not supported, or if another profiler uses
/// the counters, and what `work` throws. CUPTI of CUDA 12.6 or newer is required. Not thread-safe.
///
///     const Metrics measured = metrics(context, {"dram__bytes.sum", "sm__cycles_elapsed.max"}, [&] { launch(stream, config,
///     kernel, x); }); const double bytes = measured["dram__bytes.sum"];
[[nodiscard]] CUBIND_EXPORT Metrics metrics(ContextRef context, const std::vector<std::string>& names,
                                            const std::function<void()>& work);

}  // namespace CUBIND_NAMESPACE::profile
