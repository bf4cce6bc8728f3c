// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: macros, variables and enumerators of unnamed enums that are constants.
/// If the vendor's header is included first, its macro remains and the constant is not defined. Code that writes the name
/// without `toy::` works in both cases.

#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

#ifndef TOY_COUNT
inline constexpr int TOY_COUNT = 3;
#endif

}  // namespace CUBIND_NAMESPACE::toy
