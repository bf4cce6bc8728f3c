// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Constants of the toy library, CUDA 13.4, that its headers define as macros. Where the vendor's header was included first,
/// the macro stays and the constant here is left out: write the name without `toy::` and both give the same value.

#include <cubind/toy/types.hpp>

namespace cubind::toy {

#ifndef TOY_SLOW
inline constexpr int TOY_SLOW = 2;
#endif

}  // namespace cubind::toy
