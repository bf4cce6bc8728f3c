// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: types with the vendor's names, layouts and values.

#include <cubind/detail/abi.hpp>

#include <stddef.h>
#include <stdint.h>

// Handles point to the vendor's types, so that they convert freely between the vendor's headers and cubind.

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4.
enum toyOffset : long {
    TOY_OFFSET_FIRST = -9223372036854775807 - 1,
    TOY_OFFSET_LAST = 9223372036854775807,
};

/// Since 13.4.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

/// Since 13.4.
enum toyWideMask : unsigned long {
    TOY_WIDE_MASK_NONE = 0,
    TOY_WIDE_MASK_TOP = 9223372036854775808u,
    TOY_WIDE_MASK_ALL = 18446744073709551615u,
};


using toyOffset_enum = toyOffset;
using toyWideMask_enum = toyWideMask;

}  // namespace CUBIND_NAMESPACE::toy
