// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "machine/symbols.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The result of a lookup by cuGetProcAddress.
struct NameLookup {
    const Symbol* symbol = nullptr;  ///< newest symbol that the name refers to in the given release; null if there is none
    bool is_known = false;           ///< whether the simulated release exports a symbol by this name
};

/// Looks up a public name as the driver does. A name refers to all symbols that consist of the name and an optional
/// version suffix, each from its own release on. For the per-thread default stream it refers to the variants of these
/// symbols with a _ptds or _ptsz suffix, if there are any. Names that contain a version suffix are unknown.
NameLookup find_public_name(std::string_view name, int release, bool per_thread);

}  // namespace CUBIND_NAMESPACE::sim
