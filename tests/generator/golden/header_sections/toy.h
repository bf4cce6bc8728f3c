// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the functions of one header are a section, except those after a comment that begins another section.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

toyStatus toyMain(void);

#endif
