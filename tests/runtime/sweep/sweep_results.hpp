// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_result.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Results of sweeps that no device has measured.
namespace cubind::testing {

inline profile::Measurement measured(profile::Configuration configuration, double median, double half_width = 0.01,
                                     std::vector<std::optional<double>> columns = {}) {
    using profile::Seconds;
    const profile::Statistics times{.median = Seconds(median),
                                    .lower = Seconds(median * (1 - half_width)),
                                    .upper = Seconds(median * (1 + half_width)),
                                    .coverage = 0.97852,
                                    .minimum = Seconds(median * (1 - 2 * half_width)),
                                    .maximum = Seconds(median * (1 + 3 * half_width)),
                                    .mean = Seconds(median * 1.001),
                                    .samples = 10};
    return {.configuration = std::move(configuration),
            .device = times,
            .calls_per_sample = 16,
            .ended_by = profile::EndedBy::spread,
            .columns = std::move(columns)};
}

inline profile::Measurement failed(profile::Configuration configuration, std::string failure, std::size_t columns = 0) {
    profile::Measurement result{.configuration = std::move(configuration), .failure = std::move(failure)};
    result.columns.resize(columns);
    return result;
}

/// A sweep like that of SAXPY, over `sizes` sizes and `blocks` sizes of blocks.
inline profile::SweepResult saxpy_result(int sizes, int blocks, const std::string& name = "saxpy") {
    std::vector<profile::Measurement> all;
    for (int size = 0; size < sizes; ++size) {
        for (int block = 0; block < blocks; ++block) {
            const std::int64_t n = std::int64_t{1 << 12} << size;
            const double time = 2e-6 + static_cast<double>(n) * 12 / 4e12 * (1 + 0.4 * std::abs(block - 2) / blocks);
            const double bandwidth = static_cast<double>(n) * 12 / time / 1e9;
            all.push_back(measured({{"n", n}, {"block", 32 << block}}, time, 0.02, {bandwidth, bandwidth / 48.14}));
        }
    }
    return {name, "NVIDIA H200", "13.0", {{"bandwidth", "GB/s"}, {"of computed peak", "%"}}, std::move(all)};
}

}  // namespace cubind::testing
