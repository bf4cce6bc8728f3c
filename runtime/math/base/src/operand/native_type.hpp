// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/data_type.hpp>
#include <cubind/math_base/scalar.hpp>
#include <cubind/runtime/types.hpp>

#include <cstddef>
#include <optional>

namespace CUBIND_NAMESPACE::math::detail {

/// Returns the cudaDataType of the elements, or std::nullopt if there is none.
[[nodiscard]] CUBIND_EXPORT std::optional<runtime::cudaDataType> find_native_type(DataType type) noexcept;

/// Returns the cudaDataType of the elements. Throws std::invalid_argument if there is none.
[[nodiscard]] CUBIND_EXPORT runtime::cudaDataType native_type(const char* operation, const char* name, DataType type);

/// A factor in the type of a computation, as libraries read it from memory of the host.
class CUBIND_EXPORT NativeScalar {
public:
    /// Converts the factor to CUDA_R_16F, CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F or CUDA_R_32I. Throws
    /// std::invalid_argument for another type, and for an imaginary part of a real one.
    NativeScalar(const char* operation, const char* name, Scalar value, runtime::cudaDataType type);

    /// Returns the address of the number.
    [[nodiscard]] const void* data() const noexcept { return bytes_; }

private:
    alignas(16) std::byte bytes_[16] = {};
};

}  // namespace CUBIND_NAMESPACE::math::detail
