// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/object_value.hpp"

namespace CUBIND_NAMESPACE::layers {

/// Summary of a function's effects on objects, so that calls of functions without effects cost little.
struct EffectSummary {
    bool has_effects = false;          ///< creates or destroys objects
    bool effects_on_handles = false;   ///< some of these objects are handles, or contexts whose contents may be handles
    bool returns_handles = false;      ///< some result is, or contains, a handle
    bool takes_named = false;          ///< some argument is a handle of a type whose objects have names
    bool destroys_parents = false;     ///< destroys objects whose destruction may destroy other objects
    bool captures_into_graph = false;  ///< begins a capture of a stream, the first argument, into a graph that exists
    bool ends_capture = false;         ///< ends the capture of a stream, the first argument, and returns the graph
    objects::OwnedResults owned;       ///< returned handles that are destroyed together with an object in the arguments
};

/// Returns the position of a function's text argument, by which an object is looked up in its parent; no_parameter if there is
/// none.
unsigned char name_parameter(const reflection::Function& function) noexcept;

/// Creates the summaries of all functions, unless they exist.
void create_effect_summaries();

/// Returns the summary of the called function.
const EffectSummary& effect_summary_of(const Call& call) noexcept;

}  // namespace CUBIND_NAMESPACE::layers
