// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "facts.hpp"
#include "mismatches.hpp"

namespace cubind::info {

/// Returns the report as text. Long lists of functions are truncated unless `all` is true.
std::string text_report(const Facts& facts, const std::vector<Mismatch>& mismatches, bool all);

/// Returns the report as one JSON object. docs/cubind-info.md describes its keys.
std::string json_report(const Facts& facts, const std::vector<Mismatch>& mismatches);

}  // namespace cubind::info
