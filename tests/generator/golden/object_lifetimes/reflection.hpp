// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: descriptions of the functions as data.

#include <cubind/reflection.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Returns the descriptions of all bound functions: the parameters, their types, and which objects the function creates and
/// destroys.
CUBIND_EXPORT const reflection::LibraryDescription& reflection() noexcept;

}  // namespace CUBIND_NAMESPACE::toy
