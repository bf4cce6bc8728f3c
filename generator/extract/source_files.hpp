// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "clang/cursor.hpp"
#include "extract/documentation.hpp"
#include "extract/header_set.hpp"

namespace cubind::gen::extract {

/// A header of the parsed unit.
struct SourceFile {
    std::string name;                  ///< its name in library.json, else without folders
    const HeaderText* text = nullptr;  ///< null if the library is not bound from this header
    bool is_in_include_folder = false;
};

/// Finds the header of a declaration. Caches each file, because a libclang query for every cursor is slow.
class SourceFiles {
public:
    explicit SourceFiles(const HeaderSet& headers) : headers_(headers) {}

    /// Clears the cache, whose files belong to the previous unit.
    void start_unit() { files_.clear(); }

    /// Returns the place of a declaration, such as "cuda.h:123", for messages.
    std::string place(const clang::Cursor& cursor) { return of(cursor).name + ":" + std::to_string(cursor.line()); }

    /// Returns whether the compiler or the C library declares it, and no header in a folder of --include.
    bool is_of_system(const clang::Cursor& cursor) {
        return cursor.is_in_system_header() && of(cursor).text == nullptr && !of(cursor).is_in_include_folder;
    }

    /// Adds the files that a unit includes.
    void add_included(const std::vector<std::string>& paths) {
        for (const auto& path : paths) included_.insert(headers_.name_of(path));
    }
    /// Returns whether a unit includes the header `name`, which may declare nothing and define only macros.
    bool is_included(const std::string& name) const { return included_.contains(name); }

    const SourceFile& of(const clang::Cursor& cursor) {
        const CXFile file = cursor.file();
        const auto known = files_.find(file);
        if (known != files_.end()) return known->second;
        const std::string path = file != nullptr ? clang::to_string(clang_getFileName(file)) : "";
        const std::string name = headers_.name_of(path);
        return files_.emplace(file, SourceFile{name, headers_.find(name), is_in_include_folder(path)}).first->second;
    }

private:
    bool is_in_include_folder(const std::string& path) const {
        const auto& folders = headers_.includes();
        return std::any_of(folders.begin(), folders.end(),
                           [&](const auto& folder) { return path.starts_with((folder / "").string()); });
    }

    const HeaderSet& headers_;
    std::map<CXFile, SourceFile> files_;
    std::set<std::string> included_;
};

}  // namespace cubind::gen::extract
