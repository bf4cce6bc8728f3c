// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvshmem_core/data_type.hpp>

namespace CUBIND_NAMESPACE::nvshmem {

/// How elements are combined.
enum class ReductionKind : unsigned char { sum, product, min, max, bit_and, bit_or, bit_xor };

/// A ReductionKind as a type, so that the compiler checks the elements: nvshmem::sum and the others below.
template <ReductionKind value>
struct Reduction {
    CUBIND_HIDDEN static constexpr ReductionKind kind = value;  ///< how elements are combined

    /// Returns the type of the elements, if NVSHMEM has the reduction for them.
    template <class Element>
    static constexpr ElementType element_type() noexcept {
        constexpr ElementType type = detail::data_type_of<Element>();
        static_assert(value < ReductionKind::bit_and || detail::is_integer(type),
                      "NVSHMEM has the reductions bit_and, bit_or and bit_xor for integers only");
        return type;
    }
};

CUBIND_HIDDEN inline constexpr Reduction<ReductionKind::sum> sum;          ///< the sum
CUBIND_HIDDEN inline constexpr Reduction<ReductionKind::product> product;  ///< the product
CUBIND_HIDDEN inline constexpr Reduction<ReductionKind::min> min;          ///< the smallest
CUBIND_HIDDEN inline constexpr Reduction<ReductionKind::max> max;          ///< the largest
CUBIND_HIDDEN inline constexpr Reduction<ReductionKind::bit_and> bit_and;  ///< bitwise and, of integers
CUBIND_HIDDEN inline constexpr Reduction<ReductionKind::bit_or> bit_or;    ///< bitwise or, of integers
CUBIND_HIDDEN inline constexpr Reduction<ReductionKind::bit_xor> bit_xor;  ///< bitwise exclusive or, of integers

}  // namespace CUBIND_NAMESPACE::nvshmem
