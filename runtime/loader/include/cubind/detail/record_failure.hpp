// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/failure.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Makes `failure` the calling thread's last_failure(). Its texts must live as long as the process.
[[gnu::cold, gnu::noinline]] CUBIND_EXPORT void record_failure(const Failure& failure) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
