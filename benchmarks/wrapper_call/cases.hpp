// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

/// One call in two forms. Each function makes the call `count` times and checks every status.
struct Case {
    const char* name;
    void (*raw)(long count);
    void (*wrapper)(long count);
};

/// Returns the cases. Both forms call the stand-in driver, and each function has been called once.
std::span<const Case> prepared_cases();
