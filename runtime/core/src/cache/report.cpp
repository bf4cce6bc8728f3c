// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/report.hpp"

#include <cstdio>

void cubind::detail::report_cache_failure(const char* what, const char* why) noexcept {
    std::fprintf(stderr, "cubind: could not %s: %s\n", what, why);
}
