// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/math_base/plan_options.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace CUBIND_NAMESPACE::math::detail {

/// Throws std::invalid_argument for options without a candidate, a round or a call, and for a captured stream, in which nothing
/// can be timed.
CUBIND_EXPORT void check_tuning(const char* operation, StreamRef stream, const AutotuneOptions& options);

/// The candidates of a plan and their times.
struct Ranking {
    std::vector<std::size_t> order;   ///< indices of the candidates, the fastest first
    std::vector<Milliseconds> times;  ///< the median time of a call of each candidate, by its index
};

/// Times `count` candidates, at least one. `submit(i)` submits a call of candidate i, which has run before. The rounds of the
/// candidates alternate. Those that take more than twice as long as the fastest are timed in one round. Candidate 0 is the first
/// unless another one is 1 % faster. Waits for the stream.
[[nodiscard]] CUBIND_EXPORT Ranking rank(StreamRef stream, std::size_t count, const AutotuneOptions& options,
                                         const std::function<void(std::size_t)>& submit);

}  // namespace CUBIND_NAMESPACE::math::detail
