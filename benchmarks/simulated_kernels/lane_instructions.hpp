// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Returns how many instructions the threads of a kernel run in its shortest loop that contains `opcode`. `uses` is the number of
/// times that all threads together run the opcode; the PTX states how many other instructions the loop has for each of them.
/// Instructions outside of this loop are not counted. Returns 0 if there is no such loop.
inline double count_lane_instructions(std::string_view ptx, const std::string& kernel, std::string_view opcode, double uses) {
    const std::size_t begin = ptx.find(".entry " + kernel + "(");
    if (begin == std::string_view::npos) return 0;
    std::string_view body = ptx.substr(begin, ptx.find("\n}", begin) - begin);
    std::vector<std::string_view> lines;
    for (std::size_t end = 0; !body.empty(); body.remove_prefix(end)) {
        end = body.find('\n');
        end = end == std::string_view::npos ? body.size() : end + 1;
        const std::size_t text = body.find_first_not_of(" \t");
        if (text < end) lines.push_back(body.substr(text, end - text));
    }
    double best = 0;
    double least = 1e9;
    for (std::size_t last = 0; last < lines.size(); ++last) {
        const std::size_t branch = lines[last].find("bra");
        if (branch == std::string_view::npos) continue;
        const std::size_t name = lines[last].find('$', branch);
        if (name == std::string_view::npos) continue;
        const std::string label = std::string(lines[last].substr(name, lines[last].find(';', name) - name)) + ":";
        double instructions = 0;
        double found = 0;
        std::size_t first = last;
        for (; first > 0 && !lines[first].starts_with(label); --first) {
            const std::string_view line = lines[first];
            if (line.find(';') == std::string_view::npos || line.starts_with('.') || line.starts_with("//")) continue;
            ++instructions;
            found += line.starts_with(opcode) ? 1 : 0;
        }
        if (first == 0 || found == 0 || instructions >= least) continue;
        least = instructions;
        best = uses * instructions / found;
    }
    return best;
}
