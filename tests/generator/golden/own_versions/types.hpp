// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, Toy 2.10.0: types with the vendor's names, layouts and values.

#include <cubind/detail/abi.hpp>

#include <stddef.h>
#include <stdint.h>

// Handles point to the vendor's types, so that they convert freely between the vendor's headers and cubind.

namespace CUBIND_NAMESPACE::toy {

/// Since 2.9.3.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toySize;


/// 8 bytes, 4 before 2.10.0; since 2.9.3.
struct toySize {
    int width;
    int height;
};


}  // namespace CUBIND_NAMESPACE::toy
