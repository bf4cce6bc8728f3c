// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math/matmul_algorithm.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "matmul/lt_objects.hpp"
#include "matmul/problem.hpp"
#include "plan/plan_state.hpp"

namespace CUBIND_NAMESPACE::math::detail {

using LtHandle = PooledHandle<CublasLtLibrary>;

/// What cuBLASLt knows of an algorithm, and what identifies it.
struct AlgorithmAccess {
    static MatmulAlgorithm make(const cublaslt::cublasLtMatmulHeuristicResult_t& result, const std::string& problem,
                                std::uint64_t version);
    static cublaslt::cublasLtMatmulAlgo_t native(const MatmulAlgorithm& algorithm) noexcept;
};

/// The descriptions of a problem, and the algorithm that calls use.
struct MatmulState : PlanState {
    /// Plans for operands like these.
    MatmulState(const char* operation, StreamRef stream, const MatmulOperands& operands, const MatmulOptions& options);

    /// Returns the state of a plan. Throws std::invalid_argument for one that was moved from.
    static MatmulState& of(const std::unique_ptr<MatmulState>& plan);

    /// Throws std::invalid_argument if an operand is not as that of the creation.
    void check(const char* operation, const MatmulOperands& operands) const;
    /// Writes the addresses of further operands to the description.
    void set_addresses(const MatmulOperands& operands);
    /// Returns the library's best algorithms. The context must be current.
    [[nodiscard]] std::vector<cublaslt::cublasLtMatmulHeuristicResult_t> find(cublaslt::cublasLtHandle_t handle, int limit) const;
    /// Submits the product.
    void submit(cublaslt::cublasLtHandle_t handle, const cublaslt::cublasLtMatmulAlgo_t& used, const MatmulOperands& operands,
                const void* c, void* d, const MatmulArguments& arguments, void* memory, std::size_t memory_size,
                driver::CUstream stream) const;
    /// Returns the address of the matrix that beta multiplies; null if no memory has its type.
    [[nodiscard]] const void* addend(const char* operation, const MatmulOperands& operands,
                                     const MatmulArguments& arguments) const;
    /// Returns the sentence about the operation for errors.
    [[nodiscard]] std::string describe_problem() const;

    /// An operand as it was when the plan was made.
    struct Expected {
        DataType dtype;
        Dimensions shape;
        Dimensions strides;
        std::size_t alignment;
    };

    MatmulProblem problem;
    std::size_t workspace_limit;
    std::array<std::optional<Expected>, MatmulOperands::count> expected;
    LtOperation operation;
    LtLayout a, b, c, d;
    LtPreference preference;
    std::uint64_t version = 0;
    std::optional<MatmulAlgorithm> algorithm;  // none if d is empty
    cublaslt::cublasLtMatmulAlgo_t native_algorithm = {};

private:
    void describe_to_library();
};

}  // namespace CUBIND_NAMESPACE::math::detail
