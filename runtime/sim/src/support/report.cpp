// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/report.hpp"

#include <cubind/detail/write_signals.hpp>

#include <cstdio>

namespace CUBIND_NAMESPACE::sim {

void report(const char* subject, const char* name, const char* status, const char* reason) noexcept {
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = std::fprintf(stderr, "cubind: simulated driver: %s%s: %s: %s\n", subject, name, status, reason) < 0;
}

}  // namespace CUBIND_NAMESPACE::sim
