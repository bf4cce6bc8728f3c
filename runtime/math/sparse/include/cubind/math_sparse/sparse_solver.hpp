// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/plan_options.hpp>
#include <cubind/math_sparse/sparse_matrix.hpp>
#include <cubind/math_sparse/triangular_solver.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

/// @file
/// Direct solution of sparse linear systems, on cuDSS.

namespace CUBIND_NAMESPACE::math {

/// What is known about the matrix of a SparseSolver.
enum class SparseSystem {
    general,            ///< nothing: LDU
    symmetric,          ///< equal to its transpose: LDL^T
    hermitian,          ///< equal to its conjugate transpose: LDL^H
    positive_definite,  ///< symmetric or Hermitian, with positive eigenvalues: LL^T or LL^H
};

/// How rows and columns are ordered, so that the factors have few entries.
enum class SparseReordering {
    automatic,          ///< the library's choice
    btf_colamd,         ///< block triangular form, then approximate minimum degree of columns
    colamd,             ///< approximate minimum degree of columns
    amd,                ///< approximate minimum degree
    nested_dissection,  ///< nested dissection
    none,               ///< the order of the matrix
};

/// Where pivots are searched.
enum class SparsePivoting {
    automatic,      ///< the library's choice
    none,           ///< nowhere
    columns,        ///< in the whole column
    rows,           ///< in the whole row
    diagonal,       ///< in the diagonal
    local_block,    ///< in a block of the factorization
    bunch_kaufman,  ///< in pivots of 1 x 1 and 2 x 2
};

/// How a SparseSolver works.
struct SparseSolverOptions {
    SparseSystem system = SparseSystem::general;                    ///< what is known about the matrix
    SparseTriangle triangle = SparseTriangle::full;                 ///< the entries that are stored, unless `system` is general
    SparseReordering reordering = SparseReordering::automatic;      ///< how rows and columns are ordered
    SparsePivoting pivoting = SparsePivoting::automatic;            ///< where pivots are searched
    std::optional<double> pivot_threshold = std::nullopt;           ///< the part of the largest pivot that is sufficient
    std::optional<double> pivot_epsilon = std::nullopt;             ///< the magnitude below which a pivot is replaced
    int refinement_steps = 0;                                       ///< the steps of iterative refinement in each solution
    bool deterministic = false;                                     ///< whether each run gives the same bits
    bool hybrid_memory = false;                                     ///< whether factors may be in memory of the host
    std::optional<std::size_t> device_memory_limit = std::nullopt;  ///< the bytes of the device for hybrid_memory
    bool hybrid_execute = false;                                    ///< whether the host computes small parts
    std::string threading_library = {};  ///< a path of a threading layer of cuDSS; by default, one thread
    PlanOptions plan = {};               ///< the resource that allocates the factors
};

/// What cuDSS expects to allocate, in bytes, known after the analysis.
struct SparseMemoryEstimates {
    std::int64_t device_permanent = 0;    ///< on the device, for the factors
    std::int64_t device_peak = 0;         ///< on the device, at most
    std::int64_t host_permanent = 0;      ///< on the host
    std::int64_t host_peak = 0;           ///< on the host, at most
    std::int64_t hybrid_device_peak = 0;  ///< on the device, at most, with hybrid_memory
    std::int64_t hybrid_host_peak = 0;    ///< on the host, at most, with hybrid_memory
};

/// The signs of the eigenvalues of a symmetric or Hermitian matrix.
struct SparseInertia {
    std::int64_t positive = 0;  ///< positive eigenvalues
    std::int64_t negative = 0;  ///< negative eigenvalues

    /// Returns whether both are equal.
    [[nodiscard]] friend constexpr bool operator==(const SparseInertia&, const SparseInertia&) noexcept = default;
};

/// A direct solver of a x = b in phases, each of which later calls reuse.
///
///     math::SparseSolver solver(stream, a, b, x, {.system = math::SparseSystem::positive_definite});
///     solver.analyze(stream);
///     solver.factorize(stream);
///     if (auto pivot = solver.failed_pivot()) ...         // not positive definite
///     solver.solve(stream, b, x);
///     solver.set_values(other_values);                    // the same index arrays
///     solver.refactorize(stream);
///     solver.solve(stream, b, x);
///
/// The matrix is square and in csr, not transposed, of float32, float64, complex64 or complex128. b and x have the shape (n), or
/// (n, k) for k right-hand sides in column-major order, and do not overlap. NaN and infinities in a or b give NaN in x.
///
/// The plan retains the matrix, whose values may change before each factorization. The library's device memory comes from the
/// resource of the plan, or else of the device (cudssSetDeviceMemHandler). The phases are submitted in stream order; analyze()
/// and factorize() also wait for parts of their work. cuDSS allocates and waits, so that no phase can be captured.
///
/// Movable, not copyable. Several threads may call one object: their calls run one after the other, and a stream waits for the
/// work of the stream of the previous call. The destructor frees the factors in the order of the stream of the latest call;
/// cuDSS may wait for the device in it. Members that return a result wait for the work of the plan (cudssDataGet).
class CUBIND_EXPORT SparseSolver {
public:
    /// Creates the plan for operands like these, and a handle of cuDSS (cudssCreate, cudssDataCreate). Throws
    /// std::invalid_argument, which names both sides, Error if cuDSS refuses an option, LoadError if it is missing.
    SparseSolver(StreamRef stream, SparseMatrix a, const Operand& b, const Output& x, const SparseSolverOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    SparseSolver(SparseSolver&&) noexcept;
    /// Ends the plan of this object, and takes over the other one.
    SparseSolver& operator=(SparseSolver&&) noexcept;
    ~SparseSolver();

    /// Reorders the matrix and determines the entries of the factors. Depends only on the index arrays.
    void analyze(StreamRef stream);
    /// Computes the factors. Throws std::invalid_argument unless analyze() was called. Ask failed_pivot() for the outcome.
    void factorize(StreamRef stream);
    /// Computes the factors of changed values with the pivots of factorize(), which must have been called.
    void refactorize(StreamRef stream);
    /// Computes x. Throws std::invalid_argument unless factorize() was called, and for operands unlike those of the creation.
    void solve(StreamRef stream, const Operand& b, const Output& x);

    /// Uses other values with the same index arrays from the next factorization on (cudssMatrixSetValues). Throws
    /// std::invalid_argument for another size or type.
    void set_values(const Operand& values);

    /// Returns the number of the pivot at which the factorization failed, because a matrix is not positive definite or singular,
    /// or std::nullopt if it succeeded (CUDSS_DATA_INFO). Pivots are numbered from 1 in the order of elimination.
    [[nodiscard]] std::optional<std::int64_t> failed_pivot() const;
    /// Returns the number of pivots that were replaced because they were too small (CUDSS_DATA_NPIVOTS).
    [[nodiscard]] std::int64_t replaced_pivots() const;
    /// Returns the number of entries of the factors (CUDSS_DATA_LU_NNZ), known after analyze().
    [[nodiscard]] std::int64_t factor_entries() const;
    /// Returns the memory that cuDSS expects to use (CUDSS_DATA_MEMORY_ESTIMATES), known after analyze().
    [[nodiscard]] SparseMemoryEstimates memory_estimates() const;
    /// Returns the signs of the eigenvalues (CUDSS_DATA_INERTIA), known after factorize(), of a symmetric or Hermitian matrix.
    [[nodiscard]] SparseInertia inertia() const;

    /// Returns the matrix.
    [[nodiscard]] const SparseMatrix& matrix() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Solves a x = b once, with all phases. Waits for the factorization, and returns the number of the pivot that failed, after
/// which x has no meaning, or std::nullopt.
///
///     if (math::solve(stream, a, b, x)) std::puts("singular");
CUBIND_EXPORT std::optional<std::int64_t> solve(StreamRef stream, const SparseMatrix& a, const Operand& b, const Output& x,
                                                const SparseSolverOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
