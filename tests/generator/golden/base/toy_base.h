// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The release and the status, which every golden case includes.
#ifndef TOY_BASE_H
#define TOY_BASE_H

#define TOY_VERSION 13040

enum toyStatus {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2
};
typedef enum toyStatus toyStatus;

#endif
