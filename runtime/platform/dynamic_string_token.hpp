// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// Returns the first part of the path that dlopen() would replace, such as "$LIB" or "${ORIGIN}", so that it would open another
/// file; empty if there is none. Such a path cannot be escaped.
std::string_view dynamic_string_token(std::string_view path) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
