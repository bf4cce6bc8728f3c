// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clang/cursor.hpp"
#include "extract/documentation.hpp"
#include "extract/header_set.hpp"

#include <map>
#include <set>
#include <string>

namespace cubind::gen::extract {

/// One header as the parsed unit knows it.
struct SourceFile {
    std::string name;                  ///< without folders
    const HeaderText* text = nullptr;  ///< null if the library is not bound from this header
};

/// Finds the header of a declaration; remembers each file, since asking libclang for every cursor is slow.
class SourceFiles {
public:
    explicit SourceFiles(const HeaderSet& headers) : headers_(headers) {}

    /// Forgets the last unit's files.
    void start_unit() { files_.clear(); }

    /// "cuda.h:123" of a declaration, for messages.
    std::string place(const clang::Cursor& cursor) { return of(cursor).name + ":" + std::to_string(cursor.line()); }

    /// True once a declaration of the header `name` has come by.
    bool has_seen(const std::string& name) const { return seen_.contains(name); }

    const SourceFile& of(const clang::Cursor& cursor) {
        const CXFile file = cursor.file();
        const auto known = files_.find(file);
        if (known != files_.end()) return known->second;
        const std::string path = file != nullptr ? clang::take(clang_getFileName(file)) : "";
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
