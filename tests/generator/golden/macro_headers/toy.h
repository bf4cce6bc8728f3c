// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the functions are declared in a header in a folder. The header that programs include has only macros, which give the
// functions their names, and a further header has only constants.
#ifndef TOY_H
#define TOY_H

#include "sub/toy_api.h"
#include "toy_version.h"

#define toyOpen toyOpen_v2

#endif
