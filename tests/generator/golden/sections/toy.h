// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: comments divide the functions into sections, and one section contains a documentation group.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

toyStatus toyBeforeSections(void);

/* ------------- TOY Helper Functions ------------- */

toyStatus toyHelper(void);

/* A comment about TOY Helper Functions begins no section. */
toyStatus toyCommented(void);

/** \defgroup TOY_INNER Inner
 *  @{ */
toyStatus toyInner(void);
/** @} */

toyStatus toyLastHelper(void);

/*====== Solvers {{{ ======*/
toyStatus toySolver(void);

//######################
//# Products (dense)
//######################
toyStatus toyProduct(void);

#endif
