// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "entry/symbols.hpp"

namespace cubind::sim {

/// What cuGetProcAddress knows of a name.
struct NameAnswer {
    const Symbol* symbol = nullptr;  ///< the newest that the name meant in the release asked for
    bool is_known = false;           ///< whether it means anything in this driver at all
};

/// Looks a name up as the driver does: a name has meant the symbols that extend it by a version, each from its release on, and
/// so has it for the per-thread default stream those that extend these by a suffix. Names with a version mean nothing.
NameAnswer find_public_name(std::string_view name, int release, bool per_thread);

}  // namespace cubind::sim
