// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/merge_release.hpp"
#include "spec/overrides.hpp"

namespace cubind::gen::commands {

/// Returns what a person should check in overrides.json about the additions of a release, one line each: additions that resemble
/// entries of keys about which the generator asks no question. Returns an empty text for a release that is in the spec already,
/// and for one that is not the newest.
std::string review_text(const MergedLibrary& merged_library, const spec::Overrides& overrides);

}  // namespace cubind::gen::commands
