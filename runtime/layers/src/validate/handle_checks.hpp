// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "validate/checks.hpp"

namespace cubind::layers::validate {

/// Whether a handle lives, or is a value that stands for something else.
bool is_live_handle(const Call& call, unsigned char parameter) noexcept;
/// Whether the objects that have to belong to one context do, as far as their contexts are known.
bool are_of_one_context(const Call& call) noexcept;

Complaint check_handle(const Call& call, unsigned char parameter, bool unknown_too);
Complaint check_handles(const Call& call, unsigned char parameter, bool unknown_too);

/// Names the parameter at fault, too.
Complaint check_contexts(const Call& call, unsigned char& parameter);

}  // namespace cubind::layers::validate
