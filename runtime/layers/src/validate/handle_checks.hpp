// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "validate/checks.hpp"

namespace CUBIND_NAMESPACE::layers::validate {

/// Returns whether a handle is live or a special value, such as a default stream.
bool is_live_handle(const Call& call, unsigned char parameter) noexcept;
/// Returns whether all objects that must belong to the same context belong to it. Objects of unknown contexts are ignored.
bool are_of_one_context(const Call& call) noexcept;

/// Checks a handle. With `reject_unknown`, also reports a handle that no call returned.
Complaint check_handle(const Call& call, unsigned char parameter, bool reject_unknown);
/// Checks an array of handles. With `reject_unknown`, also reports handles that no call returned.
Complaint check_handles(const Call& call, unsigned char parameter, bool reject_unknown);

/// Checks that objects belong to the same context, and sets `parameter` to the first one that does not.
Complaint check_contexts(const Call& call, unsigned char& parameter);

}  // namespace CUBIND_NAMESPACE::layers::validate
