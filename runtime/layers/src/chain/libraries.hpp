// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/reflection.hpp>

namespace cubind::layers {

/// Every library that cubind binds; ends with null. The build knows their names.
const reflection::LibraryDescription* const* libraries() noexcept;

/// Where a library stands in that list.
std::size_t number_of(const reflection::LibraryDescription& library) noexcept;

/// Where a function stands in its library.
inline std::size_t number_of(const reflection::LibraryDescription& library, const reflection::Function& function) noexcept {
    return static_cast<std::size_t>(&function - library.functions.data());
}

}  // namespace cubind::layers
