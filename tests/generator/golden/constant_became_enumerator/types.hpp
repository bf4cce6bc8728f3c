// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Types of the toy library, CUDA 13.4: names, layouts and values are the vendor's.

#include <cstddef>
#include <cstdint>

// What handles point to is the vendor's, so that handles pass freely between its headers and these.

namespace cubind::toy {

/// Since 13.4.
enum toySpeed_enum : unsigned int {
#ifndef TOY_FAST  // headers of some releases define it as a macro
    TOY_FAST = 1,
#endif
    TOY_FASTEST = 3,
};

/// Since 12.0.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};



}  // namespace cubind::toy
