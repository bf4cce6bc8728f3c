// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Prints "cubind: simulated driver: SUBJECT NAME: STATUS: REASON", without a blank between subject and name, on the standard
/// error stream, with control characters of the name and the reason escaped. Neither SIGPIPE nor SIGXFSZ ends the process.
void report(const char* subject, const char* name, const char* status, const char* reason) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
