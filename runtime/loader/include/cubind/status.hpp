// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE {

/// Converts a status from and to a number. The primary template is for enums and integers, of which zero means success.
/// Generated code specializes it for a library whose functions return a struct.
template <class Status>
struct StatusTraits {
    /// Returns whether the status is success.
    static constexpr bool is_success(const Status& status) noexcept { return status == Status{}; }
    /// Returns the status as a number.
    static constexpr int code(const Status& status) noexcept { return static_cast<int>(status); }
    /// Returns the status with this number.
    static constexpr Status from_code(int code) noexcept { return static_cast<Status>(code); }
};

}  // namespace CUBIND_NAMESPACE
