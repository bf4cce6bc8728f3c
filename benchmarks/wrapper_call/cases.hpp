// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

/// One call in its two forms. Each function makes it `count` times and looks at every status.
struct Case {
    const char* name;
    void (*raw)(long count);
    void (*wrapper)(long count);
};

/// The cases, ready to run: both ways lead to the stand-in driver, and each function was called once.
std::span<const Case> prepared_cases();
