// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns the value of an environment variable; null if it is not set. Also returns null if the process has privileges that its
/// caller lacks (a setuid or setgid program, or file capabilities), because the caller chooses the environment. All code of
/// runtime/ and tools/ reads the environment with this function (secure_getenv).
CUBIND_EXPORT const char* environment_variable(const char* name) noexcept;

/// Sets a variable, also for programs that this process starts. Returns 0 or an errno.
[[nodiscard]] CUBIND_EXPORT int set_environment_variable(const char* name, const char* value) noexcept;

/// Returns all entries NAME=VALUE of the environment, which end with a null pointer, or null if there are none. Returns null if
/// the process has privileges that its caller lacks.
CUBIND_EXPORT char** environment_entries() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
