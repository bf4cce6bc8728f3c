// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts.hpp"
#include "mismatches.hpp"

#include <string>
#include <vector>

namespace cubind::info {

/// For people. Long lists of functions are cut short unless `all`.
std::string text_report(const Facts& facts, const std::vector<Mismatch>& mismatches, bool all);

/// For programs: one JSON object, whose keys docs/cubind-info.md tells.
std::string json_report(const Facts& facts, const std::vector<Mismatch>& mismatches);

/// Version of cubind, e.g. "0.1.0", and the newest CUDA release that it was generated from.
const char* cubind_version();
Release bound_release();

}  // namespace cubind::info
