// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the header names structs and a union that it never defines. Functions and records only point to them, with and without
// a typedef.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toySecret toySecret;
typedef struct toyTag_st toyTag;
typedef union toyEither toyEither;
struct toyUnused;

typedef struct toyCrate {
    toySecret *secret;
    const toyTag *tags[2];
} toyCrate;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyOpen(toySecret **secret, struct toyPlain *plain);
toyStatus toyMark(const toyTag *tag, toyEither *either, toyCrate crate);
/** @} */

#endif
