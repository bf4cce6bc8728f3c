// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/math/matmul_algorithm.hpp>
#include <cubind/math/matmul_options.hpp>

#include <memory>
#include <vector>

/// @file
/// Products of matrices, by cuBLASLt.

namespace CUBIND_NAMESPACE::math {

namespace detail {
struct MatmulState;
}  // namespace detail

/// An algorithm and the time of a call.
struct TimedAlgorithm {
    MatmulAlgorithm algorithm;  ///< the algorithm
    Milliseconds time;          ///< the median time of a call on the device
};

/// A plan for products of matrices of the same layouts: d = epilogue(alpha * a @ b + beta * c + bias), by cuBLASLt.
///
///     StridedView a(a_buffer, {m, k}), b(b_buffer, {k, n}), d(d_buffer, {m, n});
///     math::Matmul product(stream, a, b, d, {.bias = bias}, {.epilogue = math::Epilogue::gelu});
///     product.autotune(stream, a, b, d, {.bias = bias});
///     product(stream, a, b, d, {.bias = bias});
///
/// **Operands** have the shapes (m, k), (k, n) and (m, n), or a batch in front of them: (batch, m, k). An input without a batch,
/// or with a stride of 0, is used for each product. Each matrix must have contiguous rows or contiguous columns, with any leading
/// dimension; a transposed view therefore costs nothing. `c` has the order of d. Sizes of 0 do nothing, but k of 0 is refused.
///
/// **Types**, a and b, then d: float64; float32; float16 and bfloat16, with d of the same type or float32; complex64; complex128;
/// int8 with int32 or int8; float8_e4m3fn and float8_e5m2, mixed or not, with float32, float16, bfloat16, or 8 bits; and
/// float4_e2m1fn in pairs. Numbers of 8 bits need k contiguous in a and b, sizes and leading dimensions that are multiples of
/// 16 bytes (integers: of 4), and a device that has them. What the library or the device does not have throws an Error that
/// states the problem.
///
/// A plan is of the stream's device. Its calls submit work and do not wait; they can be captured into graphs, which retain the
/// operands and get memory for the workspace of their own. Two threads may use a plan: calls are submitted one after the other.
/// If streams alternate, each waits for the work that used the workspace before. Destroying a plan does not wait; work that runs
/// is completed. Movable, not copyable.
class [[nodiscard]] CUBIND_EXPORT Matmul {
public:
    /// Plans for operands like these, whose elements are not read (cublasLtMatmulAlgoGetHeuristic). Throws std::invalid_argument
    /// for operands that do not fit together, and Error if the library has no algorithm.
    Matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulOptions& options = {});
    /// Plans for further operands, too.
    Matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulArguments& arguments,
           const MatmulOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    Matmul(Matmul&& other) noexcept;
    /// Ends the plan of this object, and takes over the other one.
    Matmul& operator=(Matmul&& other) noexcept;
    ~Matmul();

    /// Submits a product (cublasLtMatmul). Types, shapes and strides must be those of the creation, and addresses as aligned,
    /// up to MatmulOptions::max_alignment; otherwise throws std::invalid_argument with both sides.
    void operator()(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulArguments& arguments = {});

    /// Returns the library's best algorithms by its own estimate, the best first, at most `limit`
    /// (cublasLtMatmulAlgoGetHeuristic).
    [[nodiscard]] std::vector<MatmulAlgorithm> heuristics(int limit = 8) const;

    /// Times the best algorithms on these operands, keeps the fastest for later calls, and returns all, the fastest first. The
    /// first of heuristics() is left only for one that is 1 % faster. Waits for the work of the stream.
    ///
    /// Outputs hold the product afterwards. If the product is added to d itself, a copy of d is used, and d keeps its elements.
    /// Throws OutOfMemory if there is no memory for the copy and the workspace. If it throws, the plan is as before.
    std::vector<TimedAlgorithm> autotune(StreamRef stream, const Operand& a, const Operand& b, const Output& d,
                                         const MatmulArguments& arguments = {}, const AutotuneOptions& options = {});

    /// Returns the algorithm of the calls. Throws std::invalid_argument if d is empty.
    [[nodiscard]] MatmulAlgorithm algorithm() const;

    /// Uses an algorithm for later calls (cublasLtMatmulAlgoCheck). Throws std::invalid_argument, with both sides, if it is of
    /// another version of the library or another problem, or if its workspace is beyond the limit.
    void use(const MatmulAlgorithm& algorithm);

private:
    std::unique_ptr<detail::MatmulState> state_;
};

/// Submits d = a @ b. Plans, calls and forgets: some microseconds more than a call of a plan, since cuBLASLt remembers its choice
/// of an algorithm for each problem, and its handles are kept. See Matmul for operands and types.
CUBIND_EXPORT void matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d,
                          const MatmulOptions& options = {});
/// Submits a product with further operands.
CUBIND_EXPORT void matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulArguments& arguments,
                          const MatmulOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
