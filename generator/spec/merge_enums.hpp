// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/timeline.hpp"

namespace cubind::gen::spec {

/// Merges the enums of all sources. Each enumerator has its own lifetime.
std::vector<Enum> merge_enums(const Sources& sources);

}  // namespace cubind::gen::spec
