// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: documentation groups are nested, closed and continued, and a comment names another group.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_OUTER Outer
 * @{
 */
toyStatus toyOuterFirst(void);

/**
 * @defgroup TOY_INNER Inner
 * Some words.
 */
/** @{ */
toyStatus toyInner(void);
/** @} */ /* END TOY_INNER */

toyStatus toyOuterLast(void);

/**
 * \brief Belongs to another group.
 * \ingroup TOY_INNER
 */
toyStatus toyGuest(void);
/** @} */

/** \addtogroup TOY_INNER
 *  @{ */
toyStatus toyAdded(void);
/** @} */

toyStatus toyHomeless(void);

#endif
