// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: constants that the library exports as variables. Their values are known when the library has been loaded.

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 12.0, removed in 13.4. Returns status, the value of the variable. The status is a failure only if the variable is
/// missing.
CUBIND_EXPORT Result<toyStatus, toyColor> TOY_DEFAULT_COLOR() noexcept;

/// Since 13.4. Returns status, the value of the variable. The status is a failure only if the variable is missing.
CUBIND_EXPORT Result<toyStatus, toyPrecision_t> TOY_DOUBLE() noexcept;

/// Since 13.4. Returns status, the value of the variable. The status is a failure only if the variable is missing.
CUBIND_EXPORT Result<toyStatus, const char*> TOY_NAME() noexcept;

/// Since 12.0. Returns status, the value of the variable. The status is a failure only if the variable is missing.
CUBIND_EXPORT Result<toyStatus, toyPrecision_t> TOY_SINGLE() noexcept;

}  // namespace CUBIND_NAMESPACE::toy
