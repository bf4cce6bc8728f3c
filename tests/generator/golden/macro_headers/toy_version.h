// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOY_VERSION_H
#define TOY_VERSION_H

#define TOY_PATCH 7

#endif
