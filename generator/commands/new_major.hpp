// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/gather.hpp"

namespace cubind::gen::commands {

/// What to check by hand where a library's headers are of a later major than all that its spec had, a line for each; else empty.
std::string new_major_text(const Gathered& gathered);

}  // namespace cubind::gen::commands
