// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"

/// Facts over several releases, put together from and taken apart into what each release's headers state. Nothing but `since` is lost
/// on the way: the snapshot of a release is what was read from its headers, and the order of merging makes no difference.
namespace cubind::gen::spec {

/// The facts of all releases of both; where both know a release, `fresh` speaks for it.
Facts merge(const Facts& known, const Facts& fresh);

/// The facts of some of the releases that `facts` knows. An entry that none of them has is left out; `since` stays what it is.
Facts restricted(const Facts& facts, const std::vector<std::string>& releases);

/// What the headers of one release state.
Facts snapshot(const Facts& facts, const std::string& release);

}  // namespace cubind::gen::spec
