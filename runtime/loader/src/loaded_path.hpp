// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::detail {

/// Absolute path of a library that dlopen gave this handle for.
std::string loaded_path(void* handle);

}  // namespace cubind::detail
