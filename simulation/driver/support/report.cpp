// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/report.hpp"

#include <cstdio>

#include "platform/write_signals.hpp"

namespace CUBIND_NAMESPACE::sim {

void report(const char* subject, const char* name, const char* status, const char* reason) noexcept {
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = std::fprintf(stderr, "cubind: simulated driver: %s%s: %s: %s\n", subject, name, status, reason) < 0;
}

}  // namespace CUBIND_NAMESPACE::sim
