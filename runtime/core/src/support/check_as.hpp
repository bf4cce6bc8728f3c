// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>

namespace cubind::detail {

/// check(), but a failure becomes what `change`, given the Error, makes of it. What there was not enough memory for stays OutOfMemory.
template <class Result, class Change>
auto check_as(const Result& result, const Change& change) {
    try {
        return check(result);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error& failure) {
        throw change(failure);
    }
}

}  // namespace cubind::detail
