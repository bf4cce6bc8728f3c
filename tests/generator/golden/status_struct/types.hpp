// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: types with the vendor's names, layouts and values.

#include <cubind/detail/abi.hpp>
#include <cubind/status.hpp>

#include <stddef.h>
#include <stdint.h>

// Handles point to the vendor's types, so that they convert freely between the vendor's headers and cubind.

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4.
enum toyShape : unsigned int {
    TOY_ROUND = 0,
    TOY_SQUARE = 1,
};

/// Since 13.4.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toyError;

using ssize_t = long;

/// 8 bytes; since 13.4.
struct toyError {
    toyStatus err;
    int detail;
};

using toyError_t = toyError;

}  // namespace CUBIND_NAMESPACE::toy

namespace CUBIND_NAMESPACE {

/// The status is in `err`. The other fields add details.
template <>
struct StatusTraits<toy::toyError_t> {
    static constexpr bool is_success(const toy::toyError_t& status) noexcept { return code(status) == 0; }
    static constexpr int code(const toy::toyError_t& status) noexcept { return static_cast<int>(status.err); }
    static constexpr toy::toyError_t from_code(int code) noexcept {
        toy::toyError_t status{};
        status.err = static_cast<toy::toyStatus>(code);
        return status;
    }
};

}  // namespace CUBIND_NAMESPACE
