// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/library.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cubind::gen::extract {

/// One header's text and where its lines start.
class HeaderText {
public:
    explicit HeaderText(std::string text);

    const std::string& text() const { return text_; }
    /// Number of lines; the first is line 1.
    unsigned line_count() const { return static_cast<unsigned>(line_starts_.size()); }
    /// Line `number` without its newline; empty beyond the end.
    std::string_view line(unsigned number) const;

private:
    std::string text_;
    std::vector<std::size_t> line_starts_;
};

/// The headers of one release that one library is bound from, found in the include folders and read.
class HeaderSet {
public:
    /// Throws InputError naming the header and the folders when one is not there.
    HeaderSet(const spec::LibraryConfig& config, std::vector<std::filesystem::path> includes, std::string release);

    const std::vector<std::filesystem::path>& includes() const { return includes_; }
    /// By file name, e.g. "cuda.h"; null if the library is not bound from it.
    const HeaderText* find(const std::string& name) const;
    /// "13.4".
    const std::string& release() const { return release_; }
    /// Names of all headers that are bound from, in the order of library.json.
    const std::vector<std::string>& names() const { return names_; }

private:
    std::vector<std::filesystem::path> includes_;
    std::vector<std::string> names_;
    std::map<std::string, HeaderText> texts_;
    std::string release_;
};

}  // namespace cubind::gen::extract
