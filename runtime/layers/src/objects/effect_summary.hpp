// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

namespace CUBIND_NAMESPACE::layers {

/// Summary of a function's effects on objects, so that calls of functions without effects cost little.
struct EffectSummary {
    bool has_effects = false;         ///< creates or destroys objects
    bool effects_on_handles = false;  ///< some of these objects are handles, or contexts whose contents may be handles
    bool returns_handles = false;     ///< some result is, or contains, a handle
    bool destroys_parents = false;    ///< destroys objects with which other objects may be destroyed
};

/// Returns the summary of the called function.
const EffectSummary& effect_summary_of(const Call& call) noexcept;

}  // namespace CUBIND_NAMESPACE::layers
