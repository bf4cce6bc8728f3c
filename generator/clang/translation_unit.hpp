// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clang/cursor.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace cubind::gen::clang {

/// A parsed source and the headers that it includes. Owns libclang's index and unit.
class TranslationUnit {
public:
    /// Parses `source`, given as text under the made-up file name `name`, as C++ with these include folders and defines.
    TranslationUnit(const std::string& name, const std::string& source,
                    const std::vector<std::filesystem::path>& includes, const std::vector<std::string>& defines);
    ~TranslationUnit();
    TranslationUnit(const TranslationUnit&) = delete;
    TranslationUnit& operator=(const TranslationUnit&) = delete;

    /// Errors in the included headers, in clang's own words: "file:line:column: error: ...". Errors in the made-up source itself are its author's to expect.
    std::vector<std::string> errors() const;
    /// Calls `visit` for each declaration at file scope, those inside `extern "C"` blocks too.
    template <class Visit>
    void for_each_declaration(Visit&& visit) const {
        descend(clang_getTranslationUnitCursor(unit_), visit);
    }

private:
    template <class Visit>
    static void descend(CXCursor parent, Visit& visit) {
        for_each_child(parent, [&](Cursor child) {
            // libclang 14 calls a linkage block an unexposed declaration, later ones give it a kind of its own.
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

/// "14.0.6" of the libclang that is linked.
std::string libclang_version();

}  // namespace cubind::gen::clang
