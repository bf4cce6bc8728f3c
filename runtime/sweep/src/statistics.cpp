// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace CUBIND_NAMESPACE::profile {

double Statistics::spread() const noexcept {
    const double half_width = (upper - lower).count() / 2;
    if (half_width == 0) return 0;
    return median.count() > 0 ? half_width / median.count() : std::numeric_limits<double>::infinity();
}

namespace detail {

// The probability that exactly k of n samples are below the median is (n over k) / 2^n. Its logarithm does not underflow for
// large n. The interval from the sample of rank k to that of rank n + 1 - k misses the median if fewer than k samples are on one
// side.
MedianInterval median_interval(std::size_t count, double confidence) noexcept {
    const auto n = static_cast<double>(count);
    double logarithm = -n * std::log(2.0);
    double below = std::exp(logarithm);  // probability of fewer than `rank` samples below the median
    MedianInterval interval{0, count - 1, std::max(0.0, 1 - 2 * below)};
    for (std::size_t rank = 2; 2 * rank <= count + 1; ++rank) {
        const auto k = static_cast<double>(rank - 1);
        logarithm += std::log((n - k + 1) / k);
        below += std::exp(logarithm);
        if (1 - 2 * below < confidence) break;
        interval = {rank - 1, count - rank, 1 - 2 * below};
    }
    return interval;
}

std::size_t required_samples(double confidence) noexcept {
    std::size_t count = 1;
    while (1 - 2 * std::pow(0.5, static_cast<double>(count)) < confidence) ++count;
    return count;
}

void Samples::add(double seconds) {
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), seconds), seconds);
    sum_ += seconds;
}

Statistics Samples::statistics(double confidence) const {
    const std::size_t count = sorted_.size();
    const MedianInterval interval = median_interval(count, confidence);
    return {.median = Seconds((sorted_[(count - 1) / 2] + sorted_[count / 2]) / 2),
            .lower = Seconds(sorted_[interval.lower]),
            .upper = Seconds(sorted_[interval.upper]),
            .coverage = interval.coverage,
            .minimum = Seconds(sorted_.front()),
            .maximum = Seconds(sorted_.back()),
            .mean = Seconds(sum_ / static_cast<double>(count)),
            .samples = count};
}

}  // namespace detail

}  // namespace CUBIND_NAMESPACE::profile
