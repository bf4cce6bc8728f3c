// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/timeline.hpp"

namespace cubind::gen::spec {

/// Returns the meaning of `name` in one release of its facts; null if it refers to nothing there.
const Meaning* meaning_in(const PublicName& name, const std::string& release);

/// Merges the public names of all sources. `functions` are the merged functions.
std::vector<PublicName> merge_names(const Sources& sources, const std::vector<Function>& functions);

}  // namespace cubind::gen::spec
