// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_points.hpp>

#include <vector>

namespace cubind::info {

/// A library that cubind binds.
struct BoundLibrary {
    Library& library;     ///< the loader's row
    EntryPoints entries;  ///< all its functions
};

/// Returns all bound libraries, the driver first.
std::vector<BoundLibrary> bound_libraries();

}  // namespace cubind::info
