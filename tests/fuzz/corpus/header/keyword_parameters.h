// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Trap: parameters are called like keywords that C++20 has and C++17 lacks; the vendor's header is one of those that only C++17 reads.
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
