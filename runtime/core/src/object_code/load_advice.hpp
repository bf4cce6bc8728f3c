// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>

#include <string>
#include <vector>

namespace cubind::detail {

class ObjectCodeState;

/// What to say of code that the driver does not take: which code, why, as far as can be found out, and what to do about it. `log` is
/// that of the driver's compiler.
std::string load_advice(const Error& failure, const ObjectCodeState& code, const std::string& log);

/// What to say of a kernel that the code does not have: which ones it has, or that this cannot be told.
std::string unknown_kernel_advice(const std::string& name, const ObjectCodeState& code, const std::vector<std::string>& kernels);

}  // namespace cubind::detail
