// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

namespace cubind::layers {

/// What layers have to look at in the calls of a function: most functions do little, and their calls shall cost little.
struct Plan {
    bool has_effects = false;    ///< begins or ends objects
    bool effects_on_handles = false;  ///< of which some are handles, or contexts whose contents may be
    bool gives_handles = false;  ///< some result is, or holds, a handle
    bool ends_parents = false;   ///< what it ends may be what others end with
};

const Plan& plan_of(const Call& call) noexcept;

}  // namespace cubind::layers
