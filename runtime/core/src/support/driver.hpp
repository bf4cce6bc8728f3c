// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What every source of this layer that calls the driver needs.

#include <cubind/check.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/driver/types.hpp>

#include <string>

#include "support/cleanup.hpp"
#include "support/misuse.hpp"

namespace cubind::detail {

/// Of a query: work that is not finished is neither success nor an error.
inline bool is_done(Result<driver::CUresult> result) {
    if (result.status == driver::CUDA_ERROR_NOT_READY) return false;
    check(result);
    return true;
}

/// Throws what a failed call means, with one more sentence, if there is one, on what was tried and what to do.
[[noreturn]] void throw_with_advice(Result<driver::CUresult> failed, const std::string& advice);

}  // namespace cubind::detail
