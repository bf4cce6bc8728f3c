// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/plan_options.hpp>
#include <cubind/math_base/scalar.hpp>

#include <cstdint>
#include <optional>

/// @file
/// What a product of matrices computes besides the product.

namespace CUBIND_NAMESPACE::math {

/// The function that a product applies to each element of its result, or of which it computes the gradient.
enum class Epilogue {
    none,
    relu,           ///< max(x, 0)
    gelu,           ///< x * (1 + tanh(0.79788 * (x + 0.044715 * x^3))) / 2
    relu_gradient,  ///< x where relu's input was positive, else 0; needs MatmulArguments::aux_input
    gelu_gradient,  ///< x * the derivative of gelu at its input; needs MatmulArguments::aux_input
};

/// The precision in which products are added.
enum class ComputePrecision {
    automatic,         ///< float64 for elements of 64 bits, int32 for integers, otherwise float32
    float16,           ///< for elements of float16; fast, inexact
    float32,           ///< of IEEE 754
    float64,           ///< of IEEE 754
    int32,             ///< without a check of overflow
    tf32,              ///< rounds elements of float32 to 10 bits of mantissa
    bfloat16,          ///< rounds elements of float32 to 7 bits of mantissa
    bfloat16x9,        ///< float32, by nine products of bfloat16; the library and the device must have it
    emulated_float64,  ///< float64, by products of integers; the library and the device must have it
};

/// Options of a product.
struct MatmulOptions {
    /// The function that is applied to the result.
    Epilogue epilogue = Epilogue::none;
    /// The precision of the sums.
    ComputePrecision compute = ComputePrecision::automatic;
    /// Whether sums of products of 8-bit floating-point numbers may be added less exactly, which is faster.
    bool fast_accumulation = false;
    /// The highest alignment in bytes that the plan requires of the matrices; a power of two. The plan requires the alignments
    /// that the matrices of its creation have, up to this one: a higher one permits more kernels, a lower one more operands.
    std::uint32_t max_alignment = 16;
    /// The workspace. Without a limit, algorithms may use 32 MiB.
    PlanOptions plan = {};
};

/// The factors of a product and its further operands, all of which are optional. The bias and the sums decide what is computed
/// just by being there. A plan must have got the same operands when it was created, as an example of their types and layouts.
/// Only `c` may be new, if it is like the result.
struct MatmulArguments {
    /// The factor of the product.
    Scalar alpha = 1;
    /// The factor of `c`, or of the result's previous elements if there is no `c`.
    Scalar beta = 0;
    /// A matrix that is added, of the result's shape and order. It may be the result itself.
    std::optional<Operand> c = std::nullopt;
    /// Numbers that are added to each row, of the shape (n) or (1, n), if the result is row-major; of shape (m, 1), which are
    /// added to each column, if it is column-major. With a batch in front, each product has its own.
    std::optional<Operand> bias = std::nullopt;
    /// Stores what the gradient of relu or gelu needs. For gelu, the function's input, like the result, with a leading
    /// dimension that is a multiple of 8. For relu, bits: uint8 of the result's shape and order, but relu_mask_size() bytes
    /// instead of the contiguous dimension.
    std::optional<Output> aux_output = std::nullopt;
    /// What `aux_output` has stored, for a gradient.
    std::optional<Operand> aux_input = std::nullopt;
    /// The gradient of the bias: the sum of the result's rows (shape like the bias), for an epilogue with a gradient.
    std::optional<Output> bias_gradient = std::nullopt;
    /// The sum of each row of a: m elements. Without epilogue and bias.
    std::optional<Output> a_row_sums = std::nullopt;
    /// The sum of each column of b: n elements, the gradient of a bias whose layer's output gradient is b. Without epilogue and
    /// bias.
    std::optional<Output> b_column_sums = std::nullopt;
    /// Factors of a: one float32; or m of them, one for each row; or one for each block of 32 (float8_e8m0fnu) or 16
    /// (float8_e4m3fn) elements along k, in the order of block_scale_index().
    std::optional<Operand> a_scale = std::nullopt;
    /// Factors of b, in the same way, with n instead of m.
    std::optional<Operand> b_scale = std::nullopt;
    /// A factor of the result before it is rounded to 8 bits: one float32.
    std::optional<Operand> d_scale = std::nullopt;
    /// The largest absolute value of the result before its scaling: one float32.
    std::optional<Output> d_amax = std::nullopt;
};

/// Returns the bytes in which relu stores the signs of `count` elements: a bit each, padded to a multiple of 128.
[[nodiscard]] constexpr std::int64_t relu_mask_size(std::int64_t count) noexcept {
    return (count + 127) / 128 * 16;
}

/// Returns how many factors a matrix needs: of `outer` rows of a or columns of b, each with `blocks` blocks along k. The library
/// stores them in tiles of 128 by 4.
[[nodiscard]] constexpr std::int64_t block_scale_count(std::int64_t outer, std::int64_t blocks) noexcept {
    return (outer + 127) / 128 * 128 * ((blocks + 3) / 4 * 4);
}

/// Returns where the library expects the factor of a block.
[[nodiscard]] constexpr std::int64_t block_scale_index(std::int64_t outer, std::int64_t block, std::int64_t blocks) noexcept {
    const std::int64_t tile = outer / 128 * ((blocks + 3) / 4) + block / 4;
    return tile * 512 + outer % 32 * 16 + outer % 128 / 32 * 4 + block % 4;
}

/// Returns the name of the function: "relu_gradient".
[[nodiscard]] CUBIND_EXPORT const char* to_string(Epilogue epilogue) noexcept;
/// Returns the name of the precision: "tf32".
[[nodiscard]] CUBIND_EXPORT const char* to_string(ComputePrecision precision) noexcept;

}  // namespace CUBIND_NAMESPACE::math
