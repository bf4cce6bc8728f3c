// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_result.hpp>

#include <cstddef>
#include <vector>

namespace CUBIND_NAMESPACE::profile::detail {

/// Two of `count` sorted samples, counted from 0, between which the median of the distribution is.
struct MedianInterval {
    std::size_t lower = 0;
    std::size_t upper = 0;
    double coverage = 0;  ///< the probability for it
};

/// Returns the smallest interval, symmetric in rank, whose coverage is at least `confidence`; all samples if there is none.
/// `count` is at least 1.
///
/// The number of samples below the median has a binomial distribution with p = 1/2, whatever the distribution of the samples is.
[[nodiscard]] MedianInterval median_interval(std::size_t count, double confidence) noexcept;

/// Returns the least number of samples for which the interval has this coverage.
[[nodiscard]] std::size_t required_samples(double confidence) noexcept;

/// Samples of a time.
class Samples {
public:
    void add(double seconds);
    [[nodiscard]] std::size_t count() const noexcept { return sorted_.size(); }
    /// Requires a sample.
    [[nodiscard]] Statistics statistics(double confidence) const;

private:
    std::vector<double> sorted_;
    double sum_ = 0;
};

}  // namespace CUBIND_NAMESPACE::profile::detail
