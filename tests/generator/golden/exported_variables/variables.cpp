// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/variables.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

Result<toyStatus, toyColor> TOY_DEFAULT_COLOR() noexcept {
    return read_variable<toyStatus, toyColor>(entry_points::TOY_DEFAULT_COLOR);
}

Result<toyStatus, toyPrecision_t> TOY_DOUBLE() noexcept {
    return read_variable<toyStatus, toyPrecision_t>(entry_points::TOY_DOUBLE);
}

Result<toyStatus, const char*> TOY_NAME() noexcept {
    return read_variable<toyStatus, const char*>(entry_points::TOY_NAME);
}

Result<toyStatus, toyPrecision_t> TOY_SINGLE() noexcept {
    return read_variable<toyStatus, toyPrecision_t>(entry_points::TOY_SINGLE);
}

Rows rows::variables() noexcept {
    static const Row table[] = {
        row(toy::TOY_DEFAULT_COLOR, entry_points::TOY_DEFAULT_COLOR),
        row(toy::TOY_DOUBLE, entry_points::TOY_DOUBLE),
        row(toy::TOY_NAME, entry_points::TOY_NAME),
        row(toy::TOY_SINGLE, entry_points::TOY_SINGLE),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
