// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/mathdx/types.hpp>
#include <cubind/result.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::math::device::detail {

using Status = mathdx::commondxStatusType;
/// The type of all descriptors.
using Handle = long long;

/// The functions that the parts of libmathdx have in common. A part without a function has a null pointer.
struct Family {
    const char* name;  ///< "fft"
    Result<Status, Handle> (*create)() noexcept;
    Result<Status> (*destroy)(Handle handle) noexcept;
    Result<Status> (*name_symbol)(Handle handle, mathdx::commondxOption option, const char* name) noexcept;
    Result<Status> (*set)(Handle handle, int number, long long value) noexcept;
    Result<Status> (*set_array)(Handle handle, int number, std::size_t count, const long long* values) noexcept;
    Result<Status, long long> (*trait)(Handle handle, int number) noexcept;
    Result<Status> (*traits)(Handle handle, int number, std::size_t count, long long* values) noexcept;
    Result<Status> (*finalize)(mathdx::commondxCode code, Handle handle) noexcept;
    const char* (*operator_name)(int number) noexcept;  ///< never null
    Result<Status, std::size_t> (*fat_binary_size)(Handle handle) noexcept;
    Result<Status> (*fat_binary)(Handle handle, std::size_t size, void* bytes) noexcept;
};

extern const Family fft_family;
extern const Family gemm_family;
extern const Family solver_family;
extern const Family random_family;

}  // namespace CUBIND_NAMESPACE::math::device::detail
