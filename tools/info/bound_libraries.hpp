// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_points.hpp>

#include <vector>

namespace cubind::info {

/// A library that cubind was built with.
struct BoundLibrary {
    Library& library;
    EntryPoints entries;
};

/// All of them, the driver first.
std::vector<BoundLibrary> bound_libraries();

}  // namespace cubind::info
