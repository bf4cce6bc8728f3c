// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: macros, variables and enumerators of unnamed enums that are constants.
/// If the vendor's header is included first, its macro remains and the constant is not defined. Code that writes the name
/// without `toy::` works in both cases.

#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

#ifndef TOY_BLUE
inline constexpr toyColor TOY_BLUE = static_cast<toyColor>(6);
#endif
#ifndef TOY_LIMIT
inline constexpr unsigned char TOY_LIMIT = 200;
#endif
#ifndef TOY_RED
inline constexpr toyColor TOY_RED = static_cast<toyColor>(4);
#endif

}  // namespace CUBIND_NAMESPACE::toy
