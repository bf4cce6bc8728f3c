// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Types of the toy library, CUDA 13.4: names, layouts and values are the vendor's.

#include <cstddef>
#include <cstdint>

// What handles point to is the vendor's, so that handles pass freely between its headers and these.
struct toyBox_st;

namespace cubind::toy {

/// Since 13.4.
enum toyColour : unsigned int {
    TOY_RED = 1,
    TOY_BLUE = 2,
};

/// Since 13.4.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};


#ifndef TOY_HANDLE_TYPE
using TOY_HANDLE_TYPE = ::toyBox_st*;
#endif
#ifndef TOY_TYPE
using TOY_TYPE = unsigned short;
#endif
using toyBox = ::toyBox_st*;
using toyColour_enum = toyColour;

}  // namespace cubind::toy
