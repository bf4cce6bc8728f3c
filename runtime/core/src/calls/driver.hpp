// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common includes and helpers of the sources that call the driver.

#include <cubind/check.hpp>
#include <cubind/driver/status.hpp>
#include <cubind/driver/types.hpp>

#include <string>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "lifetime/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns whether the queried work has completed; throws Error if the query failed.
inline bool is_done(Result<driver::CUresult> result) {
    if (result.status == driver::CUDA_ERROR_NOT_READY) return false;
    detail::check_latest(result);
    destroy_ready_objects();
    return true;
}

/// Returns whether the driver is too old to have the called function.
template <class Result>
[[nodiscard]] bool is_missing(const Result& result) noexcept {
    return result.status == driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND;
}

/// Throws the Error of a failed call, with the sentence `advice` at the end of its message unless `advice` is empty.
[[noreturn]] CUBIND_EXPORT void throw_with_advice(Result<driver::CUresult> failed, const std::string& advice);

/// Returns check_latest(result), but throws `change(error)` instead of an Error. OutOfMemory remains OutOfMemory.
template <class Result, class Change>
auto check_as(const Result& result, const Change& change) {
    try {
        return detail::check_latest(result);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error& failure) {
        throw change(failure);
    }
}

}  // namespace CUBIND_NAMESPACE::detail
