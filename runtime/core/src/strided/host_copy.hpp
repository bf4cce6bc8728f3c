// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "strided/copy_plan.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Copies on the calling thread, before it returns. The host must be able to access both sides. Makes no driver call and
/// allocates nothing, so that host functions can call it.
void copy_on_host(const CopyPlan& plan) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
