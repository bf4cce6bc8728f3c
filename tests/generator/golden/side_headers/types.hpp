// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: types with the vendor's names, layouts and values.

#include <cubind/detail/abi.hpp>

#include <stddef.h>
#include <stdint.h>

// Handles point to the vendor's types, so that they convert freely between the vendor's headers and cubind.
struct toyBoxStream_st;

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4.
enum toyBoxState : unsigned int {
    TOY_BOX_OPEN = 0,
    TOY_BOX_CLOSED = 1,
};

/// Since 13.4.
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toyBox;

using BoxHandle = void*;
using BoxSize = unsigned int;

/// 40 bytes; since 13.4.
struct toyBox {
    BoxHandle handle;
    union {
        int sides[6];
        void* content;
    } inside;
    toyBoxState state;
};

using toyBoxStream = ::toyBoxStream_st*;

}  // namespace CUBIND_NAMESPACE::toy
