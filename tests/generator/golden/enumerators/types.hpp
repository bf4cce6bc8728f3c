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
enum toyLevel : int {
    TOY_LEVEL_LOWEST = -2147483648,
    TOY_LEVEL_LOW = -1,
    TOY_LEVEL_NONE = 0,
    TOY_LEVEL_DEFAULT = 0,
    TOY_LEVEL_HIGH = 1,
};

/// Since 13.4.
enum toyMask : unsigned int {
    TOY_MASK_NONE = 0,
    TOY_MASK_TOP = 2147483648,
    TOY_MASK_ALL = 4294967295,
};

/// Since 13.4.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

/// Since 13.4.
enum toyTagless : unsigned int {
    TOY_ONLY_NAMED_BY_TYPEDEF = 7,
};


using toyLevel_enum = toyLevel;
using toyMask_enum = toyMask;

}  // namespace CUBIND_NAMESPACE::toy
