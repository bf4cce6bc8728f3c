// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: a public name is a macro for a newer symbol. The oldest symbol is spelled like the public name and is visible only in
// another view.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#if !defined(TOY_INTERNAL)
#define toyOpen  toyOpen_v4
#define toyClose toyClose_v2
#endif

typedef struct toyBox_st *toyBox;

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
#if !defined(TOY_INTERNAL)
toyStatus toyOpen(toyBox *box, unsigned int flags, int place);
toyStatus toyClose(toyBox box);
#endif
toyStatus toyShake(toyBox box);
/** @} */

#if defined(TOY_INTERNAL)
toyStatus toyOpen(toyBox *box);
toyStatus toyOpen_v2(toyBox *box, unsigned int flags);
toyStatus toyOpen_v4(toyBox *box, unsigned int flags, int place);
toyStatus toyClose_v2(toyBox box);
#endif

#endif
