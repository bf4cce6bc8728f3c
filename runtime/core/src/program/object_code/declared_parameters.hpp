// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "program/object_code/image.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The number of parameters of each kernel, by the kernel's symbol.
using ParameterCounts = std::unordered_map<std::string, std::size_t>;

/// Returns the number of parameters that the code declares for each kernel, for drivers that do not report it (before CUDA
/// 13.2). Reads PTX and cubins. Omits a kernel if its number cannot be read, such as all kernels of a fat binary, which may be
/// compressed.
[[nodiscard]] ParameterCounts declared_parameter_counts(Image image);

}  // namespace CUBIND_NAMESPACE::detail
