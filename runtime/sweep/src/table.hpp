// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::profile::detail {

/// A cell of the table that people read.
struct Cell {
    std::string text = {};
    std::optional<double> number = {};  ///< by which the cell is sorted; without one, by the text
};

/// The table of a result, for the terminal and for the page. Texts are not escaped.
struct Table {
    std::vector<std::string> titles = {};
    std::vector<std::vector<Cell>> rows = {};
};
[[nodiscard]] Table table_of(const SweepResult& result);

/// Returns sentences about the whole sweep: device, numbers of configurations, comparison.
[[nodiscard]] std::vector<std::string> summary_of(const SweepResult& result);

}  // namespace CUBIND_NAMESPACE::profile::detail
