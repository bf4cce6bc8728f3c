// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the header's functions are inline and call versioned symbols. The library exports the unversioned names.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef struct toyBox_st *toyBox;

extern "C" {

/**
 * \defgroup TOY_MAIN Main
 * @{
 */

extern toyStatus __toyWrap_13_4(toyBox *box, const char *paper);

/**
 * \brief Wraps a box.
 *
 * \param[out] box    Receives the box.
 * \param[in]  paper  Name of the paper.
 */
#ifndef TOY_NO_INLINE
static inline toyStatus toyWrap(toyBox *box, const char *paper) { return __toyWrap_13_4(box, paper); }
#else
toyStatus toyWrap(toyBox *box, const char *paper);
#endif

/** @} */
}

#endif
