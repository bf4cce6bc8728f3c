// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: descriptions of the functions as data.

#include <cubind/reflection.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Returns every bound function with its parameters, their types and its effects on objects.
CUBIND_EXPORT const reflection::LibraryDescription& reflection() noexcept;

}  // namespace CUBIND_NAMESPACE::toy
