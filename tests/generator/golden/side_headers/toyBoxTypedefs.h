// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "toyBox.h"

typedef toyStatus (*PFN_toyFill_v7000)(toyBox *box, BoxSize size, BoxVisit *visit, toyBoxStream stream);
