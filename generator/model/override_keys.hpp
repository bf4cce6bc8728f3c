// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::model {

/// Returns the entry of `lines` under the longest key that is `symbol` or that `symbol` extends by "_...", and for which `fits`
/// returns true; end() if there is none. One key of overrides.json thus applies to all versions of a function.
template <class Lines, class Fits>
auto find_longest(Lines& lines, std::string symbol, Fits fits) {
    while (true) {
        const auto line = lines.find(symbol);
        if (line != lines.end() && fits(line->second)) return line;
        const std::size_t cut = symbol.rfind('_');
        if (cut == std::string::npos || cut == 0) return lines.end();
        symbol.resize(cut);
    }
}

template <class Lines>
auto find_longest(Lines& lines, const std::string& symbol) {
    return find_longest(lines, symbol, [](const auto&) { return true; });
}

}  // namespace cubind::gen::model
