// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::detail {

/// Tells the cleanup handler what a cache could not do: "could not WHAT: WHY".
void report_cache_failure(const char* what, const char* why) noexcept;

}  // namespace cubind::detail
