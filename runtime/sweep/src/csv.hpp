// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_result.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Comma-separated values (RFC 4180): the output that a later sweep reads as its baseline.
namespace CUBIND_NAMESPACE::profile::detail {

/// Returns the names of the columns that every sweep has. Parameters are between `driver` and `median [s]`.
[[nodiscard]] std::vector<std::string> fixed_csv_names();

/// A baseline of a sweep.
struct Baseline {
    struct Row {
        std::string key;  ///< key_of() the configuration
        double median = 0;
        double lower = 0;
        double upper = 0;
        double coverage = 0;
    };

    std::string sweep;
    std::string device;
    std::vector<std::string> parameters;
    std::vector<Row> rows = {};  ///< the configurations that have times
};

/// Reads what SweepResult::csv() has written. Throws std::invalid_argument with the line and what is wrong with it; `file` is its
/// name in messages.
[[nodiscard]] Baseline read_baseline(std::string_view text, const std::string& file);

}  // namespace CUBIND_NAMESPACE::profile::detail
