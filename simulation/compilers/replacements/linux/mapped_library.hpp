// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <link.h>

#include "compilers/replacements/compiler.hpp"

namespace CUBIND_NAMESPACE::sim {

inline const link_map& link_map_of(const MappedLibrary& library) noexcept {
    return reinterpret_cast<const link_map&>(library);
}

inline const MappedLibrary& mapped_library(const link_map& library) noexcept {
    return reinterpret_cast<const MappedLibrary&>(library);
}

}  // namespace CUBIND_NAMESPACE::sim
