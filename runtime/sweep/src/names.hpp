// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_result.hpp>

/// Names of enumerators in outputs of sweeps.
namespace CUBIND_NAMESPACE::profile::detail {

[[nodiscard]] constexpr const char* name_of(EndedBy reason) noexcept {
    switch (reason) {
        case EndedBy::spread:
            return "spread";
        case EndedBy::repeats:
            return "repeats";
        case EndedBy::time:
            return "time";
        case EndedBy::failure:
            return "failure";
    }
    return "";
}

[[nodiscard]] constexpr const char* name_of(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::same:
            return "same";
        case Verdict::faster:
            return "faster";
        case Verdict::slower:
            return "slower";
        case Verdict::uncertain:
            return "uncertain";
        case Verdict::unmatched:
            return "unmatched";
    }
    return "";
}

}  // namespace CUBIND_NAMESPACE::profile::detail
