// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/plan_options.hpp>
#include <cubind/math_base/scalar.hpp>
#include <cubind/math_sparse/sparse_matrix.hpp>

#include <cstddef>
#include <memory>

/// @file
/// Products of a sparse matrix and dense vectors or matrices, on cuSPARSE.

namespace CUBIND_NAMESPACE::math {

/// How a SparseProduct works.
struct SparseProductOptions {
    /// Whether each run gives the same bits (CUSPARSE_SPMV_CSR_ALG2 and its siblings), for csr and coo that are not transposed.
    bool deterministic = false;
    /// Whether the plan examines a csr matrix at its creation (cusparseSpMV_preprocess, cusparseSpMM_preprocess), so that calls
    /// are faster. It is not examined while the stream is captured.
    bool preprocess = true;
    /// Where the workspace comes from. Its workspace_limit must hold what cuSPARSE needs.
    PlanOptions plan = {};
};

/// The product y = alpha a x + beta y of a sparse matrix and vectors, matrices or batches of matrices, as a plan for repeated
/// calls.
///
///     math::SparseProduct product(stream, a, x, y);
///     product(stream, x, y);                       // y = a x
///     product(stream, x, y, 2.0, -1.0);            // y = 2 a x - y
///
/// With a matrix of m x k elements, x has the shape (k) and y (m), or (k, n) and (m, n), or (batch, k, n) and (batch, m, n). One
/// stride of a dense matrix is 1, in either order; a vector may have any positive stride. x has the type of the matrix; y may
/// have a wider one: float32 for float16 and bfloat16. Products of these two compute with float32, others with the type of y. y
/// is not read if beta is 0.
///
/// The plan retains the matrix, whose values may change between calls, but not its index arrays. It creates its descriptors and
/// its workspace once; calls pass operands of the same shapes, types and strides, and allocate nothing on the success path. A
/// call is asynchronous, and can be captured: the graph has a workspace of its own, and retains the arrays.
///
/// Movable, not copyable. Several threads may call one object: their calls are submitted one after the other, and a stream waits
/// for the work of the stream of the previous call. The destructor waits for nothing, and frees the workspace in the order of the
/// stream of the latest call.
class CUBIND_EXPORT SparseProduct {
public:
    /// Creates the plan for operands like these, whose elements it does not access (cusparseSpMV_bufferSize,
    /// cusparseSpMM_bufferSize). Throws std::invalid_argument, which names both sides, for shapes, types and strides that do not
    /// fit, Error if cuSPARSE refuses them, LoadError if it is missing, and OutOfMemory.
    SparseProduct(StreamRef stream, SparseMatrix a, const Operand& x, const Output& y, const SparseProductOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    SparseProduct(SparseProduct&&) noexcept;
    /// Ends the plan of this object, and takes over the other one.
    SparseProduct& operator=(SparseProduct&&) noexcept;
    ~SparseProduct();

    /// Computes y = alpha a x + beta y in stream order (cusparseSpMV, cusparseSpMM). Throws std::invalid_argument for operands
    /// unlike those of the creation, for a y that overlaps x or the matrix, for memory or a stream of another device, and Error.
    void operator()(StreamRef stream, const Operand& x, const Output& y, Scalar alpha = 1.0, Scalar beta = 0.0);

    /// Uses other values with the same index arrays from the next call on (cusparseSpMatSetValues). Throws std::invalid_argument
    /// for another size or type.
    void set_values(const Operand& values);

    /// Returns the matrix.
    [[nodiscard]] const SparseMatrix& matrix() const;
    /// Returns the bytes of the workspace.
    [[nodiscard]] std::size_t workspace_size() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Computes y = alpha a x + beta y once, in stream order, like a SparseProduct without preprocessing.
///
///     math::multiply(stream, a, x, y);
CUBIND_EXPORT void multiply(StreamRef stream, const SparseMatrix& a, const Operand& x, const Output& y, Scalar alpha = 1.0,
                            Scalar beta = 0.0);

}  // namespace CUBIND_NAMESPACE::math
