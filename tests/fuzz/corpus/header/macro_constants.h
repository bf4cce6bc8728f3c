// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: macros with every kind of value, and macros without a value.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

typedef enum toyColor_enum { TOY_RED = 1, TOY_BLUE = 2 } toyColor;
typedef struct toyBox_st *toyBox;

#define TOY_HEX 0x10
#define TOY_UNSIGNED 0xffffffffu
#define TOY_CAST ((unsigned char)3)
#define TOY_NEGATIVE (-1)
#define TOY_SUM (TOY_HEX + 2)
#define TOY_LETTER 'a'
#define TOY_ENUM_ALIAS TOY_BLUE
#define TOY_POINTER ((toyBox)0x2)
#define TOY_SPLIT \
    40
#  define TOY_INDENTED 5
#define TOY_COMMENTED 6 /* six */

#define TOY_TYPE unsigned short
#define TOY_HANDLE_TYPE toyBox

#define TOY_FLAG
#define TOY_ATTRIBUTE __attribute__((visibility("default")))
#define TOY_STORAGE static inline
#define TOY_FUNCTION(x) (x)
#define TOY_ONLY_COMMENT /* nothing */
#define TOY_UNKNOWN toy_no_such_name
#define TOY_GONE 9
#undef TOY_GONE
#define _TOY_RESERVED 1

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
TOY_ATTRIBUTE toyStatus toyPick(toyColor color, TOY_TYPE count);
/** @} */

#endif
