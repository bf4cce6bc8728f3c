// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: parameters have the names of keywords that C++20 adds. Such a header compiles only as C++17.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
#if __cplusplus < 202002L
toyStatus toyAsk(int requires, int concept);
toyStatus toyPrepare(int constinit, int consteval, int char8_t);
toyStatus toyResume(int co_await, int co_return, int *co_yield);
#endif
/** @} */

#endif
