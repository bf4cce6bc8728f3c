// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <span>
#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the source with constants for the kind and the value of each expression. PTX of the result has these constants as
/// initialized variables, which constant_in_ptx() reads.
std::string evaluation_source(const std::string& source, std::span<const std::string> expressions);

}  // namespace CUBIND_NAMESPACE::detail
