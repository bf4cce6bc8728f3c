// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/data_type.hpp>
#include <cubind/math_base/operand.hpp>
#include <cubind/runtime/types.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::math::detail::solver {

/// A type of elements that cuSOLVER decomposes.
struct ElementType {
    runtime::cudaDataType native;
    runtime::cudaDataType real_native;  // of eigenvalues and singular values
    DataType real;
    double epsilon;  // the distance of 1 and the next number
    bool is_complex;
};

/// Returns the type of an operand. Throws std::invalid_argument unless it is float, double, or std::complex of one of them.
[[nodiscard]] ElementType element_type_of(const char* operation, const char* name, const Operand& operand);

}  // namespace CUBIND_NAMESPACE::math::detail::solver
