// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_configuration.hpp>
#include <cubind/sweep/sweep_result.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Measures one piece of work with many configurations. <cubind/core.hpp> does not include this header, because few files need
/// it.
namespace CUBIND_NAMESPACE::profile {

/// How a sweep measures.
struct SweepOptions {
    std::string name = "sweep";  ///< name in outputs and baselines

    double spread = 0.02;            ///< a configuration is complete if Statistics::spread() is at most this
    double confidence = 0.95;        ///< least coverage of the interval of the median, between 0 and 1
    std::size_t min_repeats = 10;    ///< least number of samples; must suffice for an interval, 6 for 0.95
    std::size_t max_repeats = 1000;  ///< largest number of samples
    std::size_t warm_up = 1;         ///< calls before the first sample
    /// Time after which no further sample of a configuration begins, warm-up included. One sample is always taken.
    std::chrono::nanoseconds time_limit = std::chrono::seconds(5);

    /// Calls between two events; times are divided by it. 0 takes as many as last `batch_time`, but no more than 1000: events
    /// have a resolution of half a microsecond, so that a single call of a short kernel could not be measured.
    std::size_t calls_per_sample = 0;
    std::chrono::nanoseconds batch_time = std::chrono::microseconds(50);  ///< least time of a sample if calls_per_sample is 0
    /// Whether the L2 cache is overwritten before each sample. A sample is one call then, and short kernels are measured less
    /// precisely.
    bool flush_l2 = false;
    /// Whether Measurement::host is measured: the time that a call takes in the calling thread, without waiting for the device.
    /// If it exceeds the time on the device, the device waits for the host.
    bool host_time = false;

    std::optional<StreamRef> stream = {};  ///< stream of the work; without one, the sweep has a stream of the current device
    bool stop_at_failure = false;          ///< whether no further configuration is measured after one that throws
    /// Values of some parameters. The additional column "times as fast" compares each configuration with the one that has these
    /// values, and equals it in all other parameters. {{"block", 128}} compares each block size with 128.
    Configuration normalize_against = {};
    /// Called after each configuration, for example to print progress.
    std::function<void(const Measurement&)> on_measured = {};
};

/// A column that is computed from the time of a call.
class CUBIND_EXPORT Column {
public:
    /// What a value is computed of.
    enum class Kind {
        bytes,  ///< bytes of a call: gives GB/s, and the part of the device's peak
        flops,  ///< operations of a call: gives GFLOP/s
        value,  ///< the value itself
    };
    /// Computes a number for a configuration. Exceptions and numbers that are not finite leave the value out.
    using Function = std::function<double(const Case&, const Measurement&)>;

    /// Creates a column. bytes(), flops() and derived() are shorter.
    Column(Kind kind, ColumnTitle title, Function function)
        : kind_(kind), title_(std::move(title)), function_(std::move(function)) {}

    /// Returns what the value is computed of.
    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    /// Returns name and unit.
    [[nodiscard]] const ColumnTitle& title() const noexcept { return title_; }
    /// Returns the function.
    [[nodiscard]] const Function& function() const noexcept { return function_; }

private:
    Kind kind_;
    ColumnTitle title_;
    Function function_;
};

/// Returns the columns "bandwidth" in GB/s (10^9 bytes per second), and "of computed peak" in percent, for calls that move
/// `count` bytes for each unit of a parameter: bytes(12, "n") for SAXPY, which reads two floats and writes one. The peak is
/// 2 x memory clock x bus width, from the attributes of the device; the column is empty if the device states none.
[[nodiscard]] CUBIND_EXPORT Column bytes(double count, std::string parameter);
/// Returns the same columns for calls that move as many bytes as the function returns.
[[nodiscard]] CUBIND_EXPORT Column bytes(std::function<double(const Case&)> count);
/// Returns the column "arithmetic" in GFLOP/s (10^9 operations per second), for calls with `count` operations for each unit of a
/// parameter.
[[nodiscard]] CUBIND_EXPORT Column flops(double count, std::string parameter);
/// Returns the same column for calls with as many operations as the function returns.
[[nodiscard]] CUBIND_EXPORT Column flops(std::function<double(const Case&)> count);
/// Returns a column of your own:
///
///     derived("elements", "1/us", [](const Case& c, const Measurement& m) { return c["n"].number() / m.device.median.count() /
///     1e6; })
[[nodiscard]] CUBIND_EXPORT Column derived(std::string name, std::string unit, Column::Function function);

/// Returns the peak of the device's memory bandwidth in bytes per second: 2 x memory clock x bus width, from its attributes; 0 if
/// it states none.
[[nodiscard]] CUBIND_EXPORT double computed_peak_bandwidth(Device device);

namespace detail {

CUBIND_EXPORT SweepResult sweep(const SweepOptions& options, const Configurations& configurations,
                                const std::function<void(const Case&)>& function, const std::vector<Column>& columns);

}  // namespace detail

/// Calls the function with each configuration, and measures the work that it submits to the stream of the case:
///
///     auto result = profile::sweep({.name = "saxpy"}, {{"n", {1 << 16, 1 << 20, 1 << 24}}, {"block", {128, 256}}},
///         [&](const profile::Case& c) {
///             const auto n = c.get<std::size_t>("n");
///             saxpy(c.stream(), {.grid = blocks_for(n, c.get<unsigned>("block")), .block = c["block"]}, 2.0f, x, y, n);
///         },
///         profile::bytes(12, "n"));
///     std::fputs(result.text().c_str(), stdout);
///     result.write("saxpy.html");
///     return result.exit_status();
///
/// A sample is: an event, one or more calls, an event (cuEventRecord, cuEventElapsedTime). The function is called very often, so
/// it must not change what it computes from. What it submits to other streams is measured only if the stream waits for it. It
/// runs on the calling thread with the context of the stream, which the sweep makes current again before each sample.
///
/// If it throws, or leaves a capture of the stream open, the message is recorded, and the sweep goes on. If it throws an Error
/// after which the context is lost, no further configuration is measured. Samples are taken until the spread is small enough, see
/// SweepOptions. The caller's context is current again afterwards. Any thread may call it; two sweeps at the same time on one GPU
/// measure each other.
///
/// Throws std::invalid_argument for options that are not possible, columns whose names are not unique, and a stream that is being
/// captured; Error if there is no device.
template <class Function, std::same_as<Column>... Columns>
requires std::invocable<Function&, const Case&>
[[nodiscard]] SweepResult sweep(const SweepOptions& options, const Configurations& configurations, Function&& function,
                                Columns... columns) {
    return detail::sweep(options, configurations, std::ref(function), {std::move(columns)...});
}

}  // namespace CUBIND_NAMESPACE::profile
