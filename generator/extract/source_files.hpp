// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "clang/cursor.hpp"
#include "extract/documentation.hpp"
#include "extract/header_set.hpp"

namespace cubind::gen::extract {

/// A header of the parsed unit.
struct SourceFile {
    std::string name;                  ///< without folders
    const HeaderText* text = nullptr;  ///< null if the library is not bound from this header
};

/// Finds the header of a declaration. Caches each file, because a libclang query for every cursor is slow.
class SourceFiles {
public:
    explicit SourceFiles(const HeaderSet& headers) : headers_(headers) {}

    /// Clears the cache, whose files belong to the previous unit.
    void start_unit() { files_.clear(); }

    /// Returns the place of a declaration, such as "cuda.h:123", for messages.
    std::string place(const clang::Cursor& cursor) { return of(cursor).name + ":" + std::to_string(cursor.line()); }

    /// Returns whether `of` was called with a declaration of the header `name`.
    bool has_seen(const std::string& name) const { return seen_.contains(name); }

    const SourceFile& of(const clang::Cursor& cursor) {
        const CXFile file = cursor.file();
        const auto known = files_.find(file);
        if (known != files_.end()) return known->second;
        const std::string path = file != nullptr ? clang::to_string(clang_getFileName(file)) : "";
        const std::string name = path.substr(path.find_last_of('/') + 1);
        seen_.insert(name);
        return files_.emplace(file, SourceFile{name, headers_.find(name)}).first->second;
    }

private:
    const HeaderSet& headers_;
    std::map<CXFile, SourceFile> files_;
    std::set<std::string> seen_;
};

}  // namespace cubind::gen::extract
