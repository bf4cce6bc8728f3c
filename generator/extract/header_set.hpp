// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/library.hpp"

namespace cubind::gen::extract {

/// The text of one header, with access to single lines.
class HeaderText {
public:
    explicit HeaderText(std::string text);

    const std::string& text() const { return text_; }
    /// Returns the number of lines; the first is line 1.
    unsigned line_count() const { return static_cast<unsigned>(line_starts_.size()); }
    /// Returns line `number` without its newline; empty beyond the end.
    std::string_view line(unsigned number) const;

private:
    std::string text_;
    std::vector<std::size_t> line_starts_;
};

/// The texts of the headers of one release from which one library is bound.
class HeaderSet {
public:
    /// Reads the headers from the include folders. Throws InputError with the header and the folders if a header is missing.
    HeaderSet(const spec::LibraryConfig& config, std::vector<std::filesystem::path> includes, std::string release);

    const std::vector<std::filesystem::path>& includes() const { return includes_; }
    /// Returns the texts that replace headers of other software, by path. They seem to be in the first include folder, so that
    /// the headers of a release find them.
    const std::map<std::string, std::string>& replacements() const { return replacements_; }
    /// Returns the name that library.json gives to the header in the file `path`, which may contain folders ("host/toy.h").
    /// Returns the file's own name if library.json does not name the header.
    std::string name_of(const std::string& path) const;
    /// Returns the text of a header by its name in library.json, such as "cuda.h"; null if the library is not bound from it.
    const HeaderText* find(const std::string& name) const;
    /// Returns the release, such as "13.4".
    const std::string& release() const { return release_; }
    /// Returns the names of all headers in the order of library.json.
    const std::vector<std::string>& names() const { return names_; }

private:
    std::vector<std::filesystem::path> includes_;
    std::vector<std::string> names_;
    std::vector<std::string> unbound_;  ///< headers that library.json names and that no entries are bound from
    std::map<std::string, std::string> replacements_;
    std::map<std::string, HeaderText> texts_;
    std::string release_;
};

}  // namespace cubind::gen::extract
