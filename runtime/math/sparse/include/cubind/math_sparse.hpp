// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Sparse matrices and linear systems. For shorter compile times, include what you use, such as
/// <cubind/math_sparse/sparse_product.hpp>.

#include <cubind/math_sparse/sparse_conversion.hpp>
#include <cubind/math_sparse/sparse_matrix.hpp>
#include <cubind/math_sparse/sparse_matrix_product.hpp>
#include <cubind/math_sparse/sparse_product.hpp>
#include <cubind/math_sparse/sparse_solver.hpp>
#include <cubind/math_sparse/triangular_solver.hpp>
