// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace answers {

/// Each function asks one group of questions about the driver's log. It runs in a separate process, before any other driver call.
void ask_about_positions();
void ask_about_limits();
void ask_about_callbacks();
/// Asks what a driver writes when a call reports the fault of a kernel, and when a query finds unfinished work.
void ask_about_faults();

}  // namespace answers
