// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: macros with parameters declare functions for several types. Their names are no public names of functions.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#define TOY_DECLARE_PUT(name, type) toyStatus toy_##name##_put(type value);
#define TOY_FOR_EACH_TYPE(declare) \
    declare(int, int)              \
    declare(float, float)

TOY_FOR_EACH_TYPE(TOY_DECLARE_PUT)

#define toySend toySend_v2
toyStatus toySend(void);

#endif
