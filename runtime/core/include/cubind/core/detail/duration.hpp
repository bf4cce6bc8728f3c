// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// std::chrono::duration. All of <chrono>, with calendars and time zones, takes five times as long to compile where the library keeps
/// durations apart.
#if __has_include(<bits/chrono.h>)
#include <bits/chrono.h>
#else
#include <chrono>
#endif
