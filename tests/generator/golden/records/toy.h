// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: fields are nested and anonymous structs and unions, arrays of these, 2D arrays, and over-aligned fields.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>
#include <stdint.h>

#define TOY_LAST_LINE 7

typedef struct toyPoint_st {
    float x;
    float y;
} toyPoint;

typedef struct toyShape_st {
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
    union {
        int64_t number;
        toyPoint point;
        struct {
            void *memory;
            size_t bytes;
        };
    };
    struct toyCell_st {
        unsigned char tag;
        uint32_t value;
    } cells[2];
    const struct toyShape_st *next;
} toyShape;

typedef union toyWord_un {
    uint64_t whole;
    uint32_t halves[2];
} toyWord;

typedef struct __attribute__((aligned(64))) toyLine_st {
    unsigned char bytes[64];
} toyLine;

typedef struct toyLines_st {
    toyLine first;
    char end;
} toyLines;

typedef struct toyRequest_st {
    size_t size;
    float time;
} toyRequest;

struct toyPlain {
    toyWord word;
};

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyDraw(const toyShape *shape, struct toyPlain plain);
toyStatus toyCopyLines(toyLines *lines);
/** @} */

#endif
