// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided/strided_view.hpp>

#include <cstdint>

#include "matmul/problem.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// The sizes of a product as the user knows them.
struct ProductSize {
    std::int64_t batch;
    std::int64_t m;
    std::int64_t n;
    std::int64_t k;
};

/// Returns whether the vector can be added to results of this order: (n) and (1, n) to row-major ones, (m, 1) to column-major
/// ones.
[[nodiscard]] bool suits(const Operand& vector, MemoryOrder order);

/// Adds the precision of the sums. Throws std::invalid_argument for no ComputePrecision.
void add_precision(const char* operation, const MatmulOperands& operands, const MatmulOptions& options, MatmulProblem& problem);

/// Adds the epilogue and its operands. Throws std::invalid_argument for operands that do not fit.
void add_epilogue(const char* operation, const MatmulOperands& operands, Epilogue epilogue, const ProductSize& size,
                  MemoryOrder order, MatmulProblem& problem);

/// Adds the factors of operands of few bits.
void add_scales(const char* operation, const MatmulOperands& operands, const ProductSize& size, MatmulProblem& problem);

}  // namespace CUBIND_NAMESPACE::math::detail
