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

struct toyLine_st;
struct toyLines_st;
union toyWord_un;
struct toyPlain;
struct toyPoint_st;
struct toyRequest_st;
struct toyShape_st;

using toyLine = toyLine_st;

/// 64 bytes; since 13.4.
struct alignas(64) toyLine_st {
    unsigned char bytes[64];
};

using toyLines = toyLines_st;

/// 128 bytes; since 13.4.
struct toyLines_st {
    toyLine first;
    char end = 7;  // TOY_LAST_LINE
};

using toyWord = toyWord_un;

/// 8 bytes; since 13.4.
union toyWord_un {
    uint64_t whole;
    uint32_t halves[2];
};


/// 8 bytes; since 13.4.
struct toyPlain {
    toyWord word;
};

using toyPoint = toyPoint_st;

/// 8 bytes; since 13.4.
struct toyPoint_st {
    float x;
    float y;
};

using toyRequest = toyRequest_st;

/// 16 bytes; since 13.4.
struct toyRequest_st {
    size_t size = sizeof(toyRequest_st);
    float time = -1.0;
};

using toyShape = toyShape_st;

/// 176 bytes; since 13.4.
struct toyShape_st {
    char name[16];
    double matrix[3][4];
    toyPoint corners[2];
    struct {
        int width;
        struct {
            short low;
            short high;
        } range;
    } size;
    __extension__ union {
        int64_t number;
        toyPoint point;
        __extension__ struct {
            void* memory;
            size_t bytes;
        };
    };
    struct toyCell_st {
        unsigned char tag;
        uint32_t value;
    } cells[2];
    const toyShape_st* next;
};


}  // namespace CUBIND_NAMESPACE::toy
