// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Calls from a translation unit with the per-thread default stream, in a program whose other units use the legacy one.
namespace cubind::testing::per_thread {

void* get_proc_address(unsigned long long flags);
bool has_get_proc_address();

}  // namespace cubind::testing::per_thread
