// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the absolute path of the library with this handle of dlopen; empty if the OS loader does not report a name.
CUBIND_EXPORT std::string loaded_path(void* handle);

}  // namespace CUBIND_NAMESPACE::detail
