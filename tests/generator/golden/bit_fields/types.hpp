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
enum toyStatus : unsigned int {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2,
};

struct toyCrate;
union toyEither;
struct toyFlags;


/// 16 bytes; since 13.4.
struct toyCrate {
    const char* name;
    union {
        unsigned char both;
        struct {
            unsigned char requested : 4;
            unsigned char executed : 4;
        } config;
    } cache;
    unsigned long long last : 40;
};


/// 2 bytes; since 13.4.
union toyEither {
    unsigned short all;
    unsigned short low : 9;
};


/// 12 bytes; since 13.4.
struct toyFlags {
    unsigned int small : 3;
    unsigned int wide : 30;
    unsigned char letter;
    int negative : 5;
    unsigned int : 4;
    toyStatus status : 2;
};


}  // namespace CUBIND_NAMESPACE::toy
