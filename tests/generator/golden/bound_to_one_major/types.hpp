// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Types of the toy library, CUDA 12.8: names, layouts and values are the vendor's.

#include <cstddef>
#include <cstdint>

// What handles point to is the vendor's, so that handles pass freely between its headers and these.

namespace cubind::toy {

/// Since 12.0.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toySize_st;

using toySize = toySize_st;

/// 8 bytes, 4 before 12.8; since 12.0.
struct toySize_st {
    int width;
    int height;
};


}  // namespace cubind::toy
