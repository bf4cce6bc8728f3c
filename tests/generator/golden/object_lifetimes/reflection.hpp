// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: descriptions of the functions as data.

#include <cubind/reflection.hpp>

namespace cubind::toy {

/// Returns every bound function with its parameters, their types and its effects on objects.
const reflection::LibraryDescription& reflection() noexcept;

}  // namespace cubind::toy
