// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "clang/cursor.hpp"

namespace cubind::gen::clang {

/// A parsed source and the headers that it includes. Owns the libclang index and translation unit.
class TranslationUnit {
public:
    /// Parses the text `source` as C++ with these include folders and defines. `name` is its file name; no such file has to
    /// exist. `replacements` are texts that replace the files with these paths, which do not have to exist either.
    TranslationUnit(const std::string& name, const std::string& source, const std::vector<std::filesystem::path>& includes,
                    const std::vector<std::string>& defines, const std::map<std::string, std::string>& replacements = {});
    ~TranslationUnit();
    TranslationUnit(const TranslationUnit&) = delete;
    TranslationUnit& operator=(const TranslationUnit&) = delete;

    /// Returns the errors in the included headers as clang formats them: "file:line:column: error: ...". Errors in `source`
    /// itself are left out, except fatal ones.
    std::vector<std::string> errors() const;
    /// Returns the paths of all files that the source includes, directly or indirectly.
    std::vector<std::string> included_files() const;
    /// Calls `visit` for each declaration at file scope and inside `extern "C"` blocks.
    template <class Visit>
    void for_each_declaration(Visit&& visit) const {
        descend(clang_getTranslationUnitCursor(unit_), visit);
    }

private:
    template <class Visit>
    static void descend(CXCursor parent, Visit& visit) {
        for_each_child(parent, [&](Cursor child) {
            // libclang 14 reports a linkage block as an unexposed declaration; later releases have a separate kind for it.
            if (child.kind() == CXCursor_LinkageSpec || child.kind() == CXCursor_UnexposedDecl) {
                for (Cursor inner : child.children()) visit(inner);
            } else {
                visit(child);
            }
        });
    }

    CXIndex index_ = nullptr;
    CXTranslationUnit unit_ = nullptr;
    std::string name_;
};

/// Returns the version text of the linked libclang.
std::string libclang_version();

}  // namespace cubind::gen::clang
