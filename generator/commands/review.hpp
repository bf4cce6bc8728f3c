// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/merge_release.hpp"
#include "spec/overrides.hpp"

namespace cubind::gen::commands {

/// Returns the additions of a release that may need an entry in overrides.json, one line each. Considers only keys about which
/// the generator asks no question, such as `objects` and `bit_sets`. Returns an empty text for a release that is in the spec
/// already, and for one that is not the newest.
std::string review_text(const MergedLibrary& merged_library, const spec::Overrides& overrides);

}  // namespace cubind::gen::commands
