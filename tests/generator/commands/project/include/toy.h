// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A small library for the tests of the command line.
#ifndef TOY_H
#define TOY_H

#include <stddef.h>

#define TOY_VERSION 13040

typedef struct toyBox_st *toyBox;
typedef void (*toyListener)(toyBox box, void *state);

typedef enum {
    TOY_OK = 0,
    TOY_NO_LIBRARY = 1,
    TOY_NO_FUNCTION = 2
} toyStatus;

typedef struct toySize_st {
    int width;
    int height;
} toySize;

/**
 * \defgroup TOY_BOX Boxes
 * @{
 */

/**
 * \param[out] box Receives the new box.
 * \param[in] size The size of the new box.
 */
toyStatus toyOpen(toyBox *box, const toySize *size);
toyStatus toyClose(toyBox box);
toyStatus toyListen(toyBox box, toyListener listener, void *state);

/** @} */

/**
 * \defgroup TOY_DATA Data
 * @{
 */
toyStatus toyRead(toyBox box, void *data, size_t bytes);
toyStatus toyWrite(toyBox box, const void *data, size_t bytes);
const char *toyText(toyStatus status);
/** @} */

#endif
