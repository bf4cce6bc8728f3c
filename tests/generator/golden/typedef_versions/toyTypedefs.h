// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TOY_TYPEDEFS_H
#define TOY_TYPEDEFS_H

#include "toy.h"

typedef toyStatus (*PFN_toyTurn_v3020)(int number, float angle);
typedef toyStatus (*PFN_toyTurn_v2000)(int number);
typedef toyStatus (*PFN_toyJump_v12040)(int number);
typedef toyStatus (*PFN_toyJump_v12080_ptsz)(int number);
typedef toyStatus (*PFN_toyAmbiguous_v4000)(int number);
typedef toyStatus (*PFN_toyAmbiguous_v5000)(int number);
#define PFN_toyTurn PFN_toyTurn_v3020

#endif
