// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::testing {

/// Forgets the recorded calls that failed. Runs before each exception of the program is thrown, on its thread.
void forget_failed_calls() noexcept;

}  // namespace cubind::testing
