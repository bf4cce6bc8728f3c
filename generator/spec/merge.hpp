// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"

/// Merges the facts of releases, and splits merged facts into releases. The snapshot of a release is equal to what was read
/// from its headers, except for `since`. The order of merging does not affect the result.
namespace cubind::gen::spec {

/// Returns the facts of all releases in `known` and `fresh`. For a release that both contain, the facts in `fresh` are used.
Facts merge(const Facts& known, const Facts& fresh);

/// Returns the facts of those releases of `facts` that are in `releases`. Entries that none of them has are left out. `since` is
/// unchanged.
Facts select_releases(const Facts& facts, const std::vector<std::string>& releases);

/// Returns what the headers of one release state.
Facts snapshot(const Facts& facts, const std::string& release);

}  // namespace cubind::gen::spec
