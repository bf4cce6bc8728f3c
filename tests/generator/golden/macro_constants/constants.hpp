// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: macros, variables and enumerators of unnamed enums that are constants.
/// If the vendor's header is included first, its macro remains and the constant is not defined. Code that writes the name
/// without `toy::` works in both cases.

#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

#ifndef TOY_CAST
inline constexpr unsigned char TOY_CAST = 3;
#endif
#ifndef TOY_COMMENTED
inline constexpr int TOY_COMMENTED = 6;
#endif
#ifndef TOY_ENUM_ALIAS
inline constexpr toyColor TOY_ENUM_ALIAS = static_cast<toyColor>(2);
#endif
#ifndef TOY_HEX
inline constexpr int TOY_HEX = 16;
#endif
#ifndef TOY_INDENTED
inline constexpr int TOY_INDENTED = 5;
#endif
#ifndef TOY_LETTER
inline constexpr char TOY_LETTER = 97;
#endif
#ifndef TOY_NEGATIVE
inline constexpr int TOY_NEGATIVE = -1;
#endif
#ifndef TOY_POINTER
inline ::toyBox_st* const TOY_POINTER = reinterpret_cast<::toyBox_st*>(uintptr_t{ 2 });
#endif
#ifndef TOY_SPLIT
inline constexpr int TOY_SPLIT = 40;
#endif
#ifndef TOY_SUM
inline constexpr int TOY_SUM = 18;
#endif
#ifndef TOY_UNSIGNED
inline constexpr unsigned int TOY_UNSIGNED = 4294967295;
#endif

}  // namespace CUBIND_NAMESPACE::toy
