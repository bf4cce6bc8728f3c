// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_configuration.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// @file
/// What a sweep has measured. <cubind/sweep/sweep.hpp> includes this header.
namespace CUBIND_NAMESPACE::profile {

/// A time span in seconds, which holds fractions of a nanosecond.
using Seconds = std::chrono::duration<double>;

/// Times of one call, over all samples of a configuration.
struct Statistics {
    Seconds median = {};  ///< the middle sample; the mean of both middle ones for an even number
    /// The interval that contains the median of the distribution with a probability of `coverage`, whatever the distribution is,
    /// provided that samples are independent. Both ends are samples.
    Seconds lower = {};
    Seconds upper = {};    ///< the other end of the interval
    double coverage = 0;   ///< at least SweepOptions::confidence, except for too few samples; the interval has all samples then
    Seconds minimum = {};  ///< the shortest sample
    Seconds maximum = {};  ///< the longest sample
    Seconds mean = {};     ///< the mean of the samples
    std::size_t samples = 0;  ///< number of samples

    /// Returns half the width of the interval in relation to the median; infinity if the median is 0 and the interval is not.
    [[nodiscard]] CUBIND_EXPORT double spread() const noexcept;
};

/// Why a configuration was not measured further.
enum class EndedBy {
    spread,   ///< the spread is small enough
    repeats,  ///< there were SweepOptions::max_repeats samples
    time,     ///< SweepOptions::time_limit was reached
    failure,  ///< Measurement::failure says why
};

/// How a configuration compares with the baseline.
enum class Verdict {
    same,       ///< the intervals overlap, or the medians differ by no more than the threshold
    faster,     ///< the interval is below that of the baseline, and the median by more than the threshold
    slower,     ///< a regression: the interval is above that of the baseline, and the median by more than the threshold
    uncertain,  ///< one of the intervals has too few samples
    unmatched,  ///< the baseline has no time of this configuration
};

/// The result of one configuration.
struct Measurement {
    Configuration configuration = {};                 ///< values of the parameters
    Statistics device = {};                           ///< times of a call on the stream, by events
    std::optional<Statistics> host = {};              ///< times of a call in the calling thread, with SweepOptions::host_time
    std::size_t calls_per_sample = 0;                 ///< number of calls between two events
    EndedBy ended_by = EndedBy::failure;              ///< why it was not measured further
    std::string failure = {};                         ///< why there are no times; empty if there are
    std::vector<std::optional<double>> columns = {};  ///< one value for each of SweepResult::columns(); none if it is not finite
    std::optional<Verdict> verdict = {};              ///< after SweepResult::compare()
    double baseline_ratio = 0;                        ///< median in relation to the baseline's; 0 without a counterpart

    /// Returns whether the configuration has times.
    [[nodiscard]] bool has_times() const noexcept { return failure.empty(); }
};

/// The name and the unit of a derived column.
struct ColumnTitle {
    std::string name;  ///< such as "bandwidth"
    std::string unit;  ///< such as "GB/s"; may be empty

    /// Returns both: "bandwidth [GB/s]".
    [[nodiscard]] CUBIND_EXPORT std::string text() const;
};

/// The results of a sweep, and their outputs. Any thread may call constant methods.
class CUBIND_EXPORT SweepResult {
public:
    /// Creates the result of a sweep with this name on this device, such as "NVIDIA H200", and driver, such as "13.0".
    SweepResult(std::string name, std::string device, std::string driver, std::vector<ColumnTitle> columns,
                std::vector<Measurement> measurements);

    /// Returns SweepOptions::name.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Returns the name of the device.
    [[nodiscard]] const std::string& device() const noexcept { return device_; }
    /// Returns the version of CUDA that the driver supports.
    [[nodiscard]] const std::string& driver() const noexcept { return driver_; }
    /// Returns the titles of the derived columns.
    [[nodiscard]] const std::vector<ColumnTitle>& columns() const noexcept { return columns_; }
    /// Returns the results in the order of the configurations.
    [[nodiscard]] const std::vector<Measurement>& measurements() const noexcept { return measurements_; }
    /// Returns the result of the configuration with these values; other parameters may be omitted if the result is unique. Throws
    /// std::invalid_argument if there is none, or several.
    [[nodiscard]] const Measurement& at(const Configuration& values) const;

    /// Compares with a file that write("FILE.csv") of an earlier run has made. The verdict of a configuration is `slower` or
    /// `faster` if its interval does not overlap that of the baseline, and its median differs by more than `threshold` (0.05 is
    /// 5 %). Throws std::invalid_argument if the file is damaged, or of another sweep, of other parameters or of another device,
    /// and std::runtime_error if it cannot be read; the result then does not change.
    SweepResult& compare(const std::string& file, double threshold = 0.05);
    /// Returns the file of the latest compare(); empty if there was none.
    [[nodiscard]] const std::string& baseline() const noexcept { return baseline_; }
    /// Returns the threshold of the latest compare().
    [[nodiscard]] double threshold() const noexcept { return threshold_; }
    /// Returns how many configurations with times of the baseline this sweep does not have.
    [[nodiscard]] std::size_t missing_configurations() const noexcept { return missing_; }

    /// Returns a status for the end of main(): 2 if a configuration failed, else 1 if one is slower than the baseline, else 0.
    [[nodiscard]] int exit_status() const noexcept;

    /// Returns a table for terminals, with a line for each configuration and a summary below it.
    [[nodiscard]] std::string text() const;
    /// Returns comma-separated values with a header (RFC 4180), times in seconds, which restore all statistics.
    [[nodiscard]] std::string csv() const;
    /// Returns a JSON object with times in seconds. Bytes that are not UTF-8 become their Latin-1 characters.
    [[nodiscard]] std::string json() const;
    /// Returns a page for browsers, with a table that can be sorted, and charts if cubind was built with Chart.js. It needs no
    /// network and no other file.
    [[nodiscard]] std::string html() const;
    /// Writes text(), csv(), json() or html(), as the name ends: .txt, .csv, .json, .html. A reader finds the previous file or
    /// the new one, never a part of it. Throws std::invalid_argument for another ending, and std::system_error if the file cannot
    /// be written.
    void write(const std::string& file) const;

private:
    std::string name_;
    std::string device_;
    std::string driver_;
    std::vector<ColumnTitle> columns_;
    std::vector<Measurement> measurements_;
    std::string baseline_;
    double threshold_ = 0;
    std::size_t missing_ = 0;
};

}  // namespace CUBIND_NAMESPACE::profile
