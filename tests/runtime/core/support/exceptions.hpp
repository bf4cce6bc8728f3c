// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::testing {

/// Forgets the recorded calls that failed. Called before each exception of the program is thrown, on the throwing thread.
void forget_failed_calls() noexcept;

}  // namespace cubind::testing
