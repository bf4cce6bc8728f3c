// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TOY_MORE_H
#define TOY_MORE_H

#include "toy_base.h"

toyStatus toyMore(void);

/* ---- Extras ---- */
toyStatus toyExtra(void);

#endif
