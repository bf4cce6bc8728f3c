// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "extract/documentation.hpp"

using namespace cubind::gen::extract;

// Looks for the documentation of a declaration on every line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const HeaderText header(std::string(reinterpret_cast<const char*>(data), size));
    const GroupMap groups(header);
    for (unsigned line = 0; line <= header.line_count() + 1; ++line) {
        const std::string_view comments[] = {find_comment(header, line), comment_of_enumerator(header, line)};
        for (const std::string_view comment : comments) {
            if (comment.size() > size) std::abort();
            comment_lines(comment);
            parameter_directions(comment);
            stated_group(comment);
        }
        groups.group_at(line);
    }
    return 0;
}
