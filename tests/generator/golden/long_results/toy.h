// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: functions write 7 and 19 values. Their results are declared in a header that other groups do not include.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyGetSeven(int *a, int *b, int *c, int *d, int *e, int *f, double *g);
toyStatus toyGetMany(int number, int *a, int *b, int *c, int *d, int *e, int *f, int *g, int *h, int *i, int *j, int *k, int *l,
                     int *m, int *n, int *o, int *p, int *q, int *r, double *s);
/** @} */

/**
 * \defgroup TOY_OTHER Others
 * @{
 */
toyStatus toyGetOne(int *a);
/** @} */

#endif
