// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Checks the flags of a context. At most one scheduling flag may be set.
inline bool are_context_flags_valid(unsigned flags) noexcept {
    const unsigned schedule = flags & unsigned{driver::CU_CTX_SCHED_MASK};
    return (flags & ~unsigned{driver::CU_CTX_FLAGS_MASK}) == 0 && (schedule & (schedule - 1)) == 0;
}

}  // namespace CUBIND_NAMESPACE::sim
