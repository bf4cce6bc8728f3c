// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: two handles share a tag and one points to constant data.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyArray *toyArray_t;
typedef struct toyArray *toySameArray_t;
typedef const struct toyArray *toyConstArray_t;
typedef toyArray_t toyOtherName;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyMakeArray(toyArray_t *array);
toyStatus toyReadArray(toyConstArray_t array, toySameArray_t other, toyOtherName third);
toyStatus toyReadArrays(const toyArray_t *arrays, unsigned int count);
/** @} */

#endif
