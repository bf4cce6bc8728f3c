// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Types of the toy library, CUDA 13.4: names, layouts and values are the vendor's.

#include <cstddef>
#include <cstdint>

// What handles point to is the vendor's, so that handles pass freely between its headers and these.

namespace cubind::toy {

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

}  // namespace cubind::toy
