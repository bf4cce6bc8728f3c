// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::math {

/// The number format of real and imaginary parts.
enum class Precision {
    f8_e5m2,  ///< 8 bits with 5 bits of exponent
    f8_e4m3,  ///< 8 bits with 4 bits of exponent
    bf16,     ///< bfloat16
    f16,      ///< half
    tf32,     ///< TensorFloat-32, stored in 4 bytes
    f32,      ///< float
    f64,      ///< double
    i8,       ///< signed integer of 8 bits
    i16,      ///< signed integer of 16 bits
    i32,      ///< signed integer of 32 bits
    i64,      ///< signed integer of 64 bits
    u8,       ///< unsigned integer of 8 bits
    u16,      ///< unsigned integer of 16 bits
    u32,      ///< unsigned integer of 32 bits
    u64,      ///< unsigned integer of 64 bits
};

/// Returns the name of the enumerator, such as "f32".
[[nodiscard]] CUBIND_EXPORT const char* to_string(Precision precision) noexcept;

/// Returns the size of a real number in bytes; a complex number has twice this size.
[[nodiscard]] CUBIND_EXPORT std::size_t size_of(Precision precision) noexcept;

/// Whether elements are real or complex.
enum class Domain {
    real,     ///< real numbers
    complex,  ///< pairs of a real and an imaginary part, aligned to the size of the pair
};

/// How the elements of a matrix follow each other in memory.
enum class Arrangement {
    row_major,     ///< the elements of a row are adjacent
    column_major,  ///< the elements of a column are adjacent, as in BLAS and LAPACK
};

}  // namespace CUBIND_NAMESPACE::math
