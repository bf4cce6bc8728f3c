// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "extract/header_set.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What the headers' documentation comments state in tags. Their sentences are read here and go no further.
namespace cubind::gen::extract {

/// Documentation of the headers by function or enumerator, line by line. Never goes into a spec.
using Comments = std::map<std::string, std::vector<std::string>>;

/// The comment above the declaration that starts on `line`; empty if there is none. Found by walking lines up past blank and
/// preprocessor lines, because libclang loses comments where a macro names the function or an #if stands between.
std::string_view find_comment(const HeaderText& header, unsigned line);

/// The comment's lines without its frame of asterisks.
std::vector<std::string> comment_lines(std::string_view comment);

/// The comment above a line or, where the line itself has one, at its end.
std::string_view comment_of_enumerator(const HeaderText& header, unsigned line);

/// Directions that the comment tags, by parameter name: "in", "out" or "inout".
std::map<std::string, std::string> parameter_directions(std::string_view comment);

/// The group that the comment says it belongs to with \ingroup; empty if it says nothing.
std::string stated_group(std::string_view comment);

/// Documentation groups of a header by line, from \defgroup and the @{ and @} after it.
class GroupMap {
public:
    explicit GroupMap(const HeaderText& header);

    /// The innermost group open on `line`; empty outside all groups.
    const std::string& group_at(unsigned line) const;

private:
    std::map<unsigned, std::string> changes_;  ///< from this line on, this group
};

}  // namespace cubind::gen::extract
