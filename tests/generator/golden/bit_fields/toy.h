// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: records with bit-fields: beside other fields, without a name, across the end of a unit, and in structs that are defined
// inside records with and without pointers.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyFlags {
    unsigned int small : 3;
    unsigned int wide : 30;
    unsigned char letter;
    int negative : 5;
    unsigned int : 4;
    toyStatus status : 2;
} toyFlags;

typedef struct toyCrate {
    const char *name;
    union {
        unsigned char both;
        struct {
            unsigned char requested : 4;
            unsigned char executed : 4;
        } config;
    } cache;
    unsigned long long last : 40;
} toyCrate;

typedef union toyEither {
    unsigned short all;
    unsigned short low : 9;
} toyEither;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyRead(toyFlags *flags, toyCrate *crate, toyEither either);
/** @} */

#endif
