// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/operand.hpp>
#include <cubind/runtime/types.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::math::detail {

/// Which operands of a transform are complex.
enum class FftKind { complex, real_to_complex, complex_to_real };

/// The types of a transform, as cuFFT states them.
struct FftTypes {
    FftKind kind = FftKind::complex;
    runtime::cudaDataType input = runtime::CUDA_C_32F;
    runtime::cudaDataType output = runtime::CUDA_C_32F;
    runtime::cudaDataType execution = runtime::CUDA_C_32F;

    /// Returns whether the numbers have half precision, for which cuFFT has limits.
    [[nodiscard]] bool is_half() const noexcept { return execution == runtime::CUDA_C_16F; }
};

/// The places of the elements of an operand: element (i, j, k) of transform b is at
/// b * distance + ((i * embed[1] + j) * embed[2] + k) * stride.
struct FftPlaces {
    long long embed[3] = {};
    long long stride = 1;
    long long distance = 1;
};

/// The layouts of both operands, as cufftXtMakePlanMany() receives them.
struct FftLayout {
    int rank = 0;
    long long extents[3] = {};  // of the real operand, if there is one
    long long batch = 1;
    FftPlaces input;
    FftPlaces output;
};

/// Returns the types. Throws std::invalid_argument, which states both types, if no transform has them.
[[nodiscard]] FftTypes fft_types(const char* operation, const Operand& input, const Operand& output);

/// Returns the axes of the options, or all dimensions. Throws std::invalid_argument for other numbers of axes than 1 to 3, and
/// for axes that do not exist or occur twice.
[[nodiscard]] Dimensions fft_axes(const char* operation, const Operand& input, const Dimensions& axes);

/// Throws std::invalid_argument, which states both shapes, unless the operands have the shapes of a transform.
void check_fft_shapes(const char* operation, const FftTypes& types, const Dimensions& axes, const Operand& input,
                      const Operand& output);

/// Returns the layouts of operands with elements, whose axes and shapes are right. Throws std::invalid_argument, which states
/// shapes and strides, for layouts that cuFFT cannot express, and for those that it does not support in half precision.
[[nodiscard]] FftLayout fft_layout(const char* operation, const FftTypes& types, const Dimensions& axes, const Operand& input,
                                   const Operand& output);

}  // namespace CUBIND_NAMESPACE::math::detail
