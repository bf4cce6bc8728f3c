// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TOY_BOX_H
#define TOY_BOX_H

#include "toy.h"

#include <box/box.h>

#define TOY_BOX_SIDES 6

typedef enum { TOY_BOX_OPEN, TOY_BOX_CLOSED } toyBoxState;

typedef struct {
    BoxHandle handle;
    union {
        int sides[TOY_BOX_SIDES];
        void *content;
    } inside;
    toyBoxState state;
} toyBox;

typedef struct toyBoxStream_st *toyBoxStream;

/**
 * \ingroup TOY_MAIN
 */
toyStatus toyFill(toyBox *box, BoxSize size, BoxVisit *visit, toyBoxStream stream);

#endif
