// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Branches, calls, and the end of threads.
Forms control_forms();
/// Barriers of a block.
Forms barrier_forms();
/// Votes, matches, and the synchronization of warps.
Forms vote_forms();
/// Reductions over the threads of a warp.
Forms reduction_forms();

}  // namespace CUBIND_NAMESPACE::sim::ptx
