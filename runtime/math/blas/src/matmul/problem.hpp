// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cublaslt/types.hpp>
#include <cubind/math/matmul_options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "matmul/matmul_operands.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// A matrix as cuBLASLt is told about it: in column-major order.
struct StoredMatrix {
    cublaslt::cudaDataType type = {};
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t leading = 0;
    std::int64_t batch_stride = 0;
    bool is_transposed = false;
};

/// A product as cuBLASLt is told about it. cuBLASLt computes column-major results best, and adds a bias to their columns only.
/// So a row-major result is computed as its transpose: d^T = b^T a^T. Then `a` here is b of the user, and the other way round.
struct MatmulProblem {
    bool is_empty = false;
    bool is_swapped = false;
    std::int64_t batch = 1;
    StoredMatrix a, b, c, d;
    cublaslt::cublasComputeType_t compute = {};
    cublaslt::cudaDataType scale = {};
    cublaslt::cublasLtEpilogue_t epilogue = cublaslt::CUBLASLT_EPILOGUE_DEFAULT;

    /// An attribute of the description, and the operand to which it points.
    struct Pointer {
        MatmulOperands::Slot slot;
        cublaslt::cublasLtMatmulDescAttributes_t attribute;
    };
    /// A constant attribute.
    struct Value {
        cublaslt::cublasLtMatmulDescAttributes_t attribute;
        std::int64_t value;
        std::size_t size;
    };
    template <class Entry>
    struct List {
        std::array<Entry, 12> entries = {};
        std::size_t count = 0;
        void add(const Entry& entry) { entries.at(count++) = entry; }
        const Entry* begin() const noexcept { return entries.data(); }
        const Entry* end() const noexcept { return entries.data() + count; }
    };
    List<Pointer> pointers;
    List<Value> values;

    std::string text;    // what identifies the problem, for messages and stored algorithms
    std::string limits;  // what the library requires of such operands
};

/// Checks the operands against each other, and decides all that cuBLASLt must be told. Throws std::invalid_argument.
[[nodiscard]] MatmulProblem problem_of(const char* operation, const MatmulOperands& operands, const MatmulOptions& options,
                                       const std::string& architecture);

}  // namespace CUBIND_NAMESPACE::math::detail
