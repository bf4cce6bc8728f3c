// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: macros, variables and enumerators of unnamed enums that are constants.
/// If the vendor's header is included first, its macro remains and the constant is not defined. Code that writes the name
/// without `toy::` works in both cases.

#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

#ifndef TOY_BEFORE
inline constexpr int TOY_BEFORE = -1;
#endif
#ifndef TOY_DOUBLE_LIMIT
inline constexpr int TOY_DOUBLE_LIMIT = 64;
#endif
#ifndef TOY_FIRST
inline constexpr int TOY_FIRST = 0;
#endif
#ifndef TOY_HIGH_BIT
inline constexpr unsigned int TOY_HIGH_BIT = 2147483648;
#endif
#ifndef TOY_HUGE
inline constexpr unsigned long TOY_HUGE = 4294967296;
#endif
#ifndef TOY_LAST
inline constexpr int TOY_LAST = 1;
#endif
#ifndef TOY_LIMIT
inline constexpr int TOY_LIMIT = 32;
#endif
#ifndef TOY_LOW_BIT
inline constexpr unsigned int TOY_LOW_BIT = 1;
#endif
#ifndef TOY_MACRO_LIMIT
inline constexpr int TOY_MACRO_LIMIT = 64;
#endif
#ifndef toyDefault
inline constexpr int toyDefault = 1;
#endif

}  // namespace CUBIND_NAMESPACE::toy
