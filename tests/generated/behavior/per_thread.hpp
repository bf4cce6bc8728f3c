// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Calls made by a translation unit whose default stream is per-thread, in a program where others are not.
namespace cubind::testing::per_thread {

void* get_proc_address(unsigned long long flags);
bool has_get_proc_address();

}  // namespace cubind::testing::per_thread
