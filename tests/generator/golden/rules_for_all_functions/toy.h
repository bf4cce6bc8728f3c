// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: rules of overrides.json decide the pointers of all functions, no function is in a documentation group, and the header
// declares a function that the library does not export.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

#include <stddef.h>

typedef struct toyBox_st *toyBox;

toyStatus toyScale(toyBox box, const void *alpha, int *rows);
toyStatus toyAdd(toyBox box, const void *alpha, const void *beta, int *rows);
toyStatus toyCount(toyBox box, size_t *rows);
toyStatus toyLoad(toyBox box, const char *text, size_t size);
toyStatus toyOnDevice(toyBox box);

#endif
