// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: types with the vendor's names, layouts and values.

#include <cubind/detail/abi.hpp>

#include <stddef.h>
#include <stdint.h>

// Handles point to the vendor's types, so that they convert freely between the vendor's headers and cubind.
struct toyHalf;

namespace CUBIND_NAMESPACE::toy {

// The headers do not define these types, or the API only points to them, so they are the vendor's own types.
using ::toyHalf;

/// Since 13.4.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toyQuarter;
struct toyPair;

using toyHalfType = ::toyHalf;

/// 1 bytes; since 13.4.
struct toyQuarter {
    unsigned char bits;
};


/// 2 bytes; since 13.4.
struct toyPair {
    toyQuarter first;
    toyQuarter second;
};


}  // namespace CUBIND_NAMESPACE::toy
