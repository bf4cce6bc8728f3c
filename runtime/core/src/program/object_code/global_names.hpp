// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "program/object_code/object_code_state.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the symbols of the variables in PTX or in a cubin. Throws std::invalid_argument for other code and for damaged code.
std::vector<std::string> global_names(const ObjectCodeState& code);

}  // namespace CUBIND_NAMESPACE::detail
