// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail::meeting {

/// Calls the function with the exit status when this process exits. Its library stays loaded.
void call_at_exit(void (*function)(int status));

}  // namespace CUBIND_NAMESPACE::detail::meeting
