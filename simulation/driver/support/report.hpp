// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::sim {

/// Returns "SUBJECT NAME: STATUS: REASON", without a blank between subject and name.
std::string failure_text(const char* subject, const char* name, const char* status, const char* reason);

/// Prints "cubind: simulated driver: " and the failure_text() on the standard error stream, with control characters escaped, and
/// writes the failure_text() to the DriverLog. Neither SIGPIPE nor SIGXFSZ ends the process.
void report(const char* subject, const char* name, const char* status, const char* reason) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
