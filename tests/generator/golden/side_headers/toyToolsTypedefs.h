// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "toyTools.h"

typedef toyStatus (*PFN_toyMeasure_v4000)(int *size);
