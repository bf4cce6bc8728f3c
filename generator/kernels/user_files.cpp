// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/user_files.hpp"

#include <algorithm>
#include <system_error>

#include "error.hpp"
#include "kernels/check_source.hpp"
#include "spec/json.hpp"

namespace cubind::gen::kernels {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    const std::string parent = (fs::weakly_canonical(folder, error) / "").string();
    return fs::weakly_canonical(file, error).string().starts_with(parent);
}

/// Returns the name of the header that the line includes, with its quotes. A macro may stand for them.
std::string quoted_name(std::string_view line, const std::string& name) {
    return line.find("<" + name + ">") != std::string_view::npos ? "<" + name + ">" : "\"" + name + "\"";
}

}  // namespace

UserFiles::UserFiles(const clang::TranslationUnit& unit, const fs::path& main, const fs::path& file, const std::string& source,
                     const ReadOptions& options)
    : main_(unit.main_file()), folder_(main.parent_path() / ""), given_folder_(file.parent_path()) {
    files_.emplace(main_, File{extract::HeaderText(source), {}});
    order_.push_back(main_);
    for (std::size_t index = 0; index < order_.size(); ++index) add_headers_of(order_[index], unit, options);
}

void UserFiles::add_headers_of(CXFile file, const clang::TranslationUnit& unit, const ReadOptions& options) {
    for (const auto& inclusion : unit.includes_in(file)) {
        if (inclusion.file == nullptr) continue;
        const std::string where = path(file) + ":" + std::to_string(inclusion.line);
        const std::string found = clang::path_of(inclusion.file);
        const bool is_toolkit = std::any_of(options.toolkit_includes.begin(), options.toolkit_includes.end(),
                                            [&](const fs::path& folder) { return is_below(found, folder); });
        if (is_toolkit) continue;
        const auto [known, is_new] = names_.emplace(inclusion.name, inclusion.file);
        if (!is_new && known->second != inclusion.file) {
            throw InputError(where + ": the name \"" + inclusion.name + "\" is written for two headers, " + path(known->second) +
                             " and " + path(inclusion.file) +
                             ", but NVRTC finds headers by the written name; write different names or rename a header");
        }
        if (files_.contains(inclusion.file)) continue;
        const std::string text = spec::read_text(found);
        check_source_text(text, path(inclusion.file));
        const std::string include =
            file == main_ ? quoted_name(files_.at(main_).text.line(inclusion.line), inclusion.name) : host_include(file);
        files_.emplace(inclusion.file, File{extract::HeaderText(text), include});
        order_.push_back(inclusion.file);
    }
}

std::string UserFiles::path(CXFile file) const {
    const std::string path = clang::path_of(file);
    return path.starts_with(folder_.string()) ? (given_folder_ / path.substr(folder_.string().size())).string() : path;
}

std::string UserFiles::place(const clang::Place& place) const {
    return path(place.file) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

void UserFiles::store(KernelFile& result) const {
    for (const CXFile file : order_) result.files.push_back(path(file));
    std::map<CXFile, std::string> first_names;
    for (const auto& [name, file] : names_) {
        result.headers.push_back({name, text(file).text()});
        const auto [first, is_new] = first_names.emplace(file, name);
        if (is_new) continue;
        result.warnings.push_back(path(file) + ": the header is included as \"" + first->second + "\" and as \"" + name +
                                  "\", which are two headers for NVRTC; guard it with a macro instead of #pragma once");
    }
}

}  // namespace cubind::gen::kernels
