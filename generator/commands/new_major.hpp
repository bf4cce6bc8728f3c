// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/merge_release.hpp"

namespace cubind::gen::commands {

/// Returns what to check by hand, one line each, if the headers are of a later major than every release in the library's spec.
/// Returns an empty text otherwise.
std::string new_major_text(const MergedLibrary& merged_library);

}  // namespace cubind::gen::commands
