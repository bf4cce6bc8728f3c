// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_result.hpp>

#include <span>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::profile::detail {

// Parts of the page, which the build takes from files. Each is split, because compilers limit the length of a string.
using PageParts = std::span<const std::string_view>;
extern const PageParts page_style;
extern const PageParts page_script;
extern const PageParts chart_script;  ///< Chart.js; empty if the build did not find it

/// Returns the page of SweepResult::html() with this script for charts.
[[nodiscard]] std::string page_of(const SweepResult& result, PageParts charts);

}  // namespace CUBIND_NAMESPACE::profile::detail
