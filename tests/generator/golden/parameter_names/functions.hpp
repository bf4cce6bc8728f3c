// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, value, value2.
CUBIND_EXPORT Result<toyStatus, int, int> toyLocals(int status, int result, int entry, int library) noexcept;

/// Since 13.4. Returns status.
/// arg2: in, string.
CUBIND_EXPORT Result<toyStatus> toyUnnamed(int arg0, toyBox arg1_value, const char* arg2, float arg1) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
