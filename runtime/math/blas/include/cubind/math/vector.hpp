// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/scalar.hpp>

#include <complex>

/// @file
/// Small operations on vectors, by cuBLAS.
///
/// Operands have one dimension with any positive stride, and elements of one of the types float16, bfloat16, float32, float64,
/// complex64 and complex128, which is the same for all operands of a call. Numbers of 16 bits are added as float32.
///
///     math::axpy(stream, 0.5, x, y);                       // y = 0.5 * x + y
///     math::dot(stream, x, y, result);                     // result: one element in memory of the device
///     double length = math::nrm2_to_host(stream, x);       // waits
///
/// Functions submit their work to the stream and do not wait, except those whose name ends in "_to_host". A handle of cuBLAS is
/// created by the first call with a stream, and kept for later ones. They can be captured into graphs; where cuBLAS needs
/// memory, the graph gets nodes that allocate it, so that the graph can be neither a child of another graph nor launched by a
/// device. Any thread may call them. They throw std::invalid_argument for operands that do not fit, and Error if cuBLAS fails.

namespace CUBIND_NAMESPACE::math {

/// Writes the sum of x[i] * y[i] to the one element of `result`, without conjugation of complex numbers (cublasDotEx). The sum
/// of no elements is 0.
CUBIND_EXPORT void dot(StreamRef stream, const Operand& x, const Operand& y, const Output& result);

/// Writes the sum of conj(x[i]) * y[i] to the one element of `result` (cublasDotcEx; for real numbers
/// cublasDotEx).
CUBIND_EXPORT void vdot(StreamRef stream, const Operand& x, const Operand& y, const Output& result);

/// Writes the square root of the sum of |x[i]|^2 to the one element of `result`, which is real (cublasNrm2Ex).
CUBIND_EXPORT void nrm2(StreamRef stream, const Operand& x, const Output& result);

/// Adds alpha * x to y (cublasAxpyEx).
CUBIND_EXPORT void axpy(StreamRef stream, Scalar alpha, const Operand& x, const Output& y);

/// Multiplies x by alpha in place (cublasScalEx).
CUBIND_EXPORT void scal(StreamRef stream, Scalar alpha, const Output& x);

/// Returns the result of dot(). Waits for the work of the stream. Throws std::invalid_argument in a capture.
[[nodiscard]] CUBIND_EXPORT std::complex<double> dot_to_host(StreamRef stream, const Operand& x, const Operand& y);

/// Returns the result of vdot(). Waits for the work of the stream. Throws std::invalid_argument in a capture.
[[nodiscard]] CUBIND_EXPORT std::complex<double> vdot_to_host(StreamRef stream, const Operand& x, const Operand& y);

/// Returns the result of nrm2(). Waits for the work of the stream. Throws std::invalid_argument in a capture.
[[nodiscard]] CUBIND_EXPORT double nrm2_to_host(StreamRef stream, const Operand& x);

}  // namespace CUBIND_NAMESPACE::math
