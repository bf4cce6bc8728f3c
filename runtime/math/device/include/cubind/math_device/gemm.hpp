// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_device/function.hpp>
#include <cubind/math_device/precision.hpp>

#include <cstddef>
#include <string>

namespace CUBIND_NAMESPACE::math::device {

/// A property of each of the matrices A, B and C. Those that are left out have the value of A.
template <class Type>
struct OfMatrices {
    Type a = {};  ///< of A
    Type b = a;   ///< of B
    Type c = a;   ///< of C

    /// Compares all.
    friend bool operator==(const OfMatrices&, const OfMatrices&) = default;
};

/// The description of a Gemm. It is an aggregate.
struct GemmDescription {
    std::size_t m = 0;  ///< rows of A and C
    std::size_t n = 0;  ///< columns of B and C
    std::size_t k = 0;  ///< columns of A and rows of B
    /// The precisions: `{Precision::f64}`, or `{Precision::f16, Precision::f16, Precision::f32}`. Integers need an accumulator of
    /// four times their size.
    OfMatrices<Precision> precision = {Precision::f32};
    /// Whether the elements of all three matrices are real or complex.
    Domain domain = Domain::real;
    /// The arrangement in shared memory.
    OfMatrices<Arrangement> arrangement = {Arrangement::row_major};
    /// The distance between rows, or columns of column_major, in elements; 0: the rows are adjacent.
    OfMatrices<std::size_t> leading_dimension = {};
    /// The alignment of the matrices in bytes, at most 16; 0: that of an element. Larger alignments are faster.
    OfMatrices<std::size_t> alignment = {};
    /// The number of threads of the block, which is one-dimensional; 0: libmathdx chooses.
    unsigned int block_size = 0;
    /// The architecture, such as "sm_90" or "90"; empty: that of the current device.
    std::string arch = {};
    /// The name in device code; empty: "gemm_32x16x64" (m, n, k), followed by what differs from the defaults, as in
    /// "gemm_32x16x64_f64_complex".
    std::string symbol = {};
};

/// The numbers of a Gemm.
struct GemmTraits {
    OfMatrices<unsigned int> leading_dimension;            ///< distance between rows or columns, in elements
    OfMatrices<unsigned int> suggested_leading_dimension;  ///< distances with fewer bank conflicts
    OfMatrices<unsigned int> size;                         ///< elements of shared memory that each matrix takes
    OfMatrices<unsigned int> offset;        ///< where the matrices are in shared_memory_size() bytes if they follow each other
    unsigned int suggested_block_size = 0;  ///< the number of threads that libmathdx suggests
};

/// A product of matrices that a block computes within a kernel, C = alpha A B + beta C, with all matrices in shared memory
/// (cuBLASDx).
///
///     math::device::Gemm gemm({.m = 32, .n = 32, .k = 32});
///     // in the kernel:  gemm_32x32x32(&alpha, a, b, &beta, c);  __syncthreads() before and after it
///
/// The function is `void symbol(const C* alpha, const A* a, const B* b, const C* beta, C* c)`. Types that need headers, such as
/// __half, are void in the declaration. Tensor cores compute f16, bf16, tf32, f8 and integers, and f64 on some
/// architectures: a simulated device cannot run such code, but for f64 and f32 on sm_90.
class CUBIND_EXPORT Gemm : public Function {
public:
    /// Asks libmathdx for the traits, which it compiles for some seconds unless the cache has them. The cache must outlive this
    /// function's first code(). Throws std::invalid_argument for contradictions, CompileError with libmathdx's log for what it
    /// does not support, and Error for other failures (cublasdxCreateDescriptor, cublasdxGetTrait*).
    explicit Gemm(const GemmDescription& description, ProgramCache* cache = nullptr);

    /// Returns the numbers of the product.
    [[nodiscard]] const GemmTraits& traits() const noexcept { return traits_; }

private:
    GemmTraits traits_;
};

}  // namespace CUBIND_NAMESPACE::math::device
