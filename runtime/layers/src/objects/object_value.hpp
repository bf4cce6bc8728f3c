// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "values/arguments.hpp"

namespace cubind::layers::objects {

/// The object that a call's argument holds, as a number; nothing where it holds none: a null, but not the number 0.
std::optional<unsigned long long> value_at(const Call& call, const reflection::ObjectPlace& place) noexcept;

/// All objects there: the elements where the parameter is an array.
std::vector<unsigned long long> values_at(const Call& call, const reflection::ObjectPlace& place);

/// Notes every handle that the call gave back, in whatever it wrote.
void note_handles_given(const Call& call) noexcept;

/// The calling thread's context, as the library tells it; 0 where it has none.
unsigned long long current_context(const reflection::LibraryDescription& library) noexcept;

/// Whether the stream in an argument is being captured.
bool is_captured(const Call& call, unsigned char parameter) noexcept;

}  // namespace cubind::layers::objects
