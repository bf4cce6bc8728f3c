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
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toyEvent_st;

using toyBox = ::toyBox_st*;
using toyEvent = toyEvent_st;

/// 4 bytes; since 13.4.
struct toyEvent_st {
    int code;
};

using toyListener = void (*)(toyBox box, const toyEvent* event, void* state);
using toyNamer = const char* (*)(int);

}  // namespace cubind::toy
