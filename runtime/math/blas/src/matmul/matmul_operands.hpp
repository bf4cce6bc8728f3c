// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math/matmul_options.hpp>

#include <array>
#include <cstddef>

#include "operand/checks.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// All operands of a product by number. Absent ones are null.
struct MatmulOperands {
    enum Slot : std::size_t {
        a,
        b,
        c,
        d,
        bias,
        aux_output,
        aux_input,
        bias_gradient,
        a_row_sums,
        b_column_sums,
        a_scale,
        b_scale,
        d_scale,
        d_amax,
        count
    };

    MatmulOperands(const Operand& left, const Operand& right, const Output& result, const MatmulArguments& arguments)
        : all{{{"a", &left},
               {"b", &right},
               {"c", address(arguments.c)},
               {"d", &result, true},
               {"bias", address(arguments.bias)},
               {"aux_output", address(arguments.aux_output), true},
               {"aux_input", address(arguments.aux_input)},
               {"bias_gradient", address(arguments.bias_gradient), true},
               {"a_row_sums", address(arguments.a_row_sums), true},
               {"b_column_sums", address(arguments.b_column_sums), true},
               {"a_scale", address(arguments.a_scale)},
               {"b_scale", address(arguments.b_scale)},
               {"d_scale", address(arguments.d_scale)},
               {"d_amax", address(arguments.d_amax), true}}} {}

    /// Returns the operand, or null.
    const Operand* operator[](std::size_t slot) const noexcept { return all[slot].operand; }
    /// Returns the address of the elements, or null.
    void* data(std::size_t slot) const noexcept { return all[slot].operand == nullptr ? nullptr : all[slot].operand->data(); }

    std::array<NamedOperand, count> all;

private:
    template <class Optional>
    static const Operand* address(const Optional& operand) noexcept {
        return operand ? &*operand : nullptr;
    }
};

}  // namespace CUBIND_NAMESPACE::math::detail
