// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the text of dlerror() after a call of the OS loader has failed, and clears it, so that a later dlerror() of other code
/// does not return it. Throws std::bad_alloc if the text states that memory or file descriptors were exhausted: the library or
/// the symbol may exist nevertheless, so the failure must not be remembered. The program's errno does not state it, because the
/// OS loader has a separate errno. `existing_file` is the absolute path of the file that was to be opened and that this process
/// can read; that it cannot be opened then means the same.
std::string take_loader_error(const std::string& existing_file = {});

}  // namespace CUBIND_NAMESPACE::detail
