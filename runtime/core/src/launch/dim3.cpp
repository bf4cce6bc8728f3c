// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/dim3.hpp>

#include <limits>

#include "support/misuse.hpp"

namespace cubind::detail {

void throw_extent_is_negative(long long value) {
    throw_misuse("a grid, block or cluster of ", value, " is not possible: extents count from 1");
}

void throw_extent_is_too_large(unsigned long long value) {
    throw_misuse("a grid, block or cluster of ", value, " is not possible: extents end at ", std::numeric_limits<unsigned int>::max());
}

}  // namespace cubind::detail
