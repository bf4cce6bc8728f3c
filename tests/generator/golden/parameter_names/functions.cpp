// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/functions.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

Result<toyStatus, int, int> toyLocals(int status, int result, int entry, int library) noexcept {
    Result<toyStatus, int, int> result_{};
    result_.status = call<toyStatus(int*, int*, int, int, int, int)>(entry_points::toyLocals, &result_.value1, &result_.value2,
                                                                     status, result, entry, library);
    return result_;
}

Result<toyStatus> toyUnnamed(int arg0, toyBox arg1_value, const char* arg2, float arg1) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(int, toyBox, const char*, float)>(entry_points::toyUnnamed, arg0, arg1_value, arg2, arg1);
    return result_;
}

Rows rows::functions() noexcept {
    static const Row table[] = {
        row(toy::toyLocals, entry_points::toyLocals),
        row(toy::toyUnnamed, entry_points::toyUnnamed),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
