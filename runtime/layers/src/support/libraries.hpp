// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/reflection.hpp>

namespace CUBIND_NAMESPACE::layers {

/// Returns every library that cubind binds; the list ends with null. The build generates the list.
const reflection::LibraryDescription* const* libraries() noexcept;

/// Returns the position of a library in that list.
std::size_t number_of(const reflection::LibraryDescription& library) noexcept;

/// Returns the position of a function in its library.
inline std::size_t number_of(const reflection::LibraryDescription& library, const reflection::Function& function) noexcept {
    return static_cast<std::size_t>(&function - library.functions.data());
}

}  // namespace CUBIND_NAMESPACE::layers
