// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns the address of a function in a library that is loaded, whether or not layers observe its calls. Returns null if the
/// library is not loaded, does not export the symbol, or no memory is left. Does not load the library, and looks the symbol up in
/// each call.
CUBIND_EXPORT void* find_library_function(const Library& library, const char* symbol) noexcept;

/// Returns whether the library is loaded. Does not load it.
CUBIND_EXPORT bool is_loaded(const Library& library) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
