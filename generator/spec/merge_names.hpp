// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/timeline.hpp"

namespace cubind::gen::spec {

/// What `name` means in one release that its facts know; null if nothing.
const Meaning* meaning_in(const PublicName& name, const std::string& release);

/// The public names of all sources. `functions` are the merged ones.
std::vector<PublicName> merge_names(const Sources& sources, const std::vector<Function>& functions);

}  // namespace cubind::gen::spec
