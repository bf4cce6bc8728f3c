// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/report.hpp"

#include <cstdio>
#include <new>

#include "platform/write_signals.hpp"
#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim {

void report(const char* subject, const char* name, const char* status, const char* reason) noexcept {
    const auto print = [&](const char* shown_name, const char* shown_reason) {
        cubind::detail::WithoutWriteSignals signals;
        signals.has_failed =
            std::fprintf(stderr, "cubind: simulated driver: %s%s: %s: %s\n", subject, shown_name, status, shown_reason) < 0;
    };
    try {
        print(escaped(name).c_str(), escaped(reason).c_str());
    } catch (const std::bad_alloc&) {
        print("", "no memory is left for the reason");
    }
}

}  // namespace CUBIND_NAMESPACE::sim
