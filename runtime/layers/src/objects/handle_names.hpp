// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "values/capture.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

/// Returns a function that reads the names of handles in the arguments of a call; null if the function has no argument with a
/// name. Objects that are looked up by name in their parent have names: kernels, functions, texture and surface references.
HandleName handle_name_for(const Call& call) noexcept;

}  // namespace CUBIND_NAMESPACE::layers::objects
