// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "values/arguments.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

/// Returns the object in a call's argument as a number. Returns std::nullopt for a null handle or address. An object that is
/// identified by a signed number may be 0.
std::optional<unsigned long long> value_at(const Call& call, const reflection::ObjectPlace& place) noexcept;

/// Returns all objects in a call's argument: one per element if the parameter is an array.
std::vector<unsigned long long> values_at(const Call& call, const reflection::ObjectPlace& place);

/// Describes the handles in a function's results that are destroyed together with an object in its arguments.
struct OwnedResults {
    const Type* type = nullptr;                        ///< type of the handles; null if there are none
    unsigned char parent = reflection::no_parameter;   ///< parameter with their parent
    unsigned char sibling = reflection::no_parameter;  ///< parameter with a handle that has the same parent
};

/// Adds every handle that the call returned in its results to all_handles().
void note_returned_handles(const Call& call, const OwnedResults& owned) noexcept;

/// Returns the calling thread's context, queried from the library; 0 if there is none.
unsigned long long current_context(const reflection::LibraryDescription& library) noexcept;

/// Returns whether the stream in an argument is being captured.
bool is_captured(const Call& call, unsigned char parameter) noexcept;

}  // namespace CUBIND_NAMESPACE::layers::objects
