// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/timeline.hpp"

namespace cubind::gen::spec {

/// The enums of all sources, each enumerator with a life of its own.
std::vector<Enum> merge_enums(const Sources& sources);

}  // namespace cubind::gen::spec
