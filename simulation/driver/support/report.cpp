// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/report.hpp"

#include <cstdio>
#include <new>

#include "platform/write_signals.hpp"
#include "shared/escaped.hpp"
#include "support/driver_log.hpp"

namespace CUBIND_NAMESPACE::sim {

std::string failure_text(const char* subject, const char* name, const char* status, const char* reason) {
    return std::string(subject).append(name).append(": ").append(status).append(": ").append(reason);
}

void report(const char* subject, const char* name, const char* status, const char* reason) noexcept {
    const auto print = [](const char* text) {
        cubind::detail::WithoutWriteSignals signals;
        signals.has_failed = std::fprintf(stderr, "cubind: simulated driver: %s\n", text) < 0;
    };
    try {
        const std::string text = failure_text(subject, name, status, reason);
        print(escaped(text).c_str());
        DriverLog::of_process().write(driver::CU_LOG_LEVEL_ERROR, text);
    } catch (const std::bad_alloc&) {
        print("a call or work failed, and no memory is left for the reason");
    }
}

}  // namespace CUBIND_NAMESPACE::sim
