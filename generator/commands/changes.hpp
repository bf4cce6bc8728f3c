// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/merge_release.hpp"
#include "emit/templates.hpp"

namespace cubind::gen::commands {

/// Prints how the merged release relates to the releases in the specs, which libraries have no headers, what to check by hand
/// for a new major, what changed since the previous release, and which public names refer to another function from now on.
void print_changes(const MergedRelease& merged_release, const emit::Templates& templates);

}  // namespace cubind::gen::commands
