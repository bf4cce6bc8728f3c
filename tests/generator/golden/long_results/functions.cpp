// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/functions.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

Result<toyStatus, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, double>
toyGetMany(int number) noexcept {
    Result<toyStatus, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, double> result_{};
    result_.status =
        call<toyStatus(int, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*, int*,
                       int*, double*)>(entry_points::toyGetMany, number, &result_.value1, &result_.value2, &result_.value3,
                                       &result_.value4, &result_.value5, &result_.value6, &result_.value7, &result_.value8,
                                       &result_.value9, &result_.value10, &result_.value11, &result_.value12, &result_.value13,
                                       &result_.value14, &result_.value15, &result_.value16, &result_.value17, &result_.value18,
                                       &result_.value19);
    return result_;
}

Result<toyStatus, int, int, int, int, int, int, double> toyGetSeven() noexcept {
    Result<toyStatus, int, int, int, int, int, int, double> result_{};
    result_.status = call<toyStatus(int*, int*, int*, int*, int*, int*, double*)>(
        entry_points::toyGetSeven, &result_.value1, &result_.value2, &result_.value3, &result_.value4, &result_.value5,
        &result_.value6, &result_.value7);
    return result_;
}

Rows rows::functions() noexcept {
    static const Row table[] = {
        row(toy::toyGetMany, entry_points::toyGetMany),
        row(toy::toyGetSeven, entry_points::toyGetSeven),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
