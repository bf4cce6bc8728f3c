// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "extract/header_set.hpp"

/// Reads the tags in the documentation comments of the headers. The sentences of these comments never get into a spec.
namespace cubind::gen::extract {

/// The lines of the headers' documentation by function or enumerator. Never written to a spec.
using Comments = std::map<std::string, std::vector<std::string>>;

/// Returns the comment above the declaration that starts on `line`; empty if there is none. The search walks up past blank
/// lines and preprocessor lines, because libclang loses a comment if a macro names the function or an #if follows the comment.
std::string_view find_comment(const HeaderText& header, unsigned line);

/// Returns the lines of the comment without its frame of asterisks. Each line may follow // in generated code.
std::vector<std::string> comment_lines(std::string_view comment);

/// Returns the comment at the end of a line or, if there is none, the comment above the line.
std::string_view comment_of_enumerator(const HeaderText& header, unsigned line);

/// Returns the directions that the comment tags, by parameter name: "in", "out" or "inout".
std::map<std::string, std::string> parameter_directions(std::string_view comment);

/// Returns the group that the comment states with \ingroup; empty if it has no such tag.
std::string stated_group(std::string_view comment);

/// The documentation groups of a header by line, from \defgroup and the @{ and @} after it, and outside of these groups from
/// comments that begin a section, and before the first of these comments the header's own group.
class GroupMap {
public:
    /// Reads the groups. `sections` maps the text of a comment to the group of the declarations after it. A comment has that text
    /// if it is one line with only the text and a frame of punctuation, such as /* ----- Helpers ----- */ or // # Helpers.
    /// `header_group` is the group of the declarations before the first section; it may be empty.
    explicit GroupMap(const HeaderText& header, const std::map<std::string, std::string>& sections = {},
                      const std::string& header_group = {});

    /// Returns the innermost group that is open on `line`, or else the section's group, or else the header's group.
    const std::string& group_at(unsigned line) const;

private:
    std::map<unsigned, std::string> changes_;  ///< first line of each section to its group
};

}  // namespace cubind::gen::extract
