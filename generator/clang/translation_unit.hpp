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

/// How a source is parsed.
struct ParseOptions {
    std::vector<std::string> arguments;               ///< of the compiler
    std::map<std::string, std::string> replacements;  ///< texts of files by path, which do not have to exist
    bool records_includes = false;                    ///< whether includes_in() is answered
};

/// An error message of the compiler.
struct Diagnostic {
    Place place;
    std::string message;
    bool is_fatal = false;  ///< whether the parser ended there
};

/// An #include in a source.
struct Inclusion {
    std::string name;  ///< as written, without the quotes
    unsigned line = 0;
    CXFile file = nullptr;  ///< the included file
};

/// A parsed source and the headers that it includes. Owns the libclang index and translation unit.
class TranslationUnit {
public:
    /// Parses the text `source` as C++ with these include folders and defines. `name` is its file name; no such file has to
    /// exist. `replacements` are texts that replace the files with these paths, which do not have to exist either.
    TranslationUnit(const std::string& name, const std::string& source, const std::vector<std::filesystem::path>& includes,
                    const std::vector<std::string>& defines, const std::map<std::string, std::string>& replacements = {});
    /// Parses the text `source` as C++ with the arguments of `options`.
    TranslationUnit(const std::string& name, const std::string& source, const ParseOptions& options);
    ~TranslationUnit();
    TranslationUnit(const TranslationUnit&) = delete;
    TranslationUnit& operator=(const TranslationUnit&) = delete;

    /// Returns the errors in the included headers as clang formats them: "file:line:column: error: ...". Errors in `source`
    /// itself are left out, except fatal ones.
    std::vector<std::string> errors() const;
    /// Returns all errors, those in `source` too.
    std::vector<Diagnostic> diagnostics() const;
    /// Returns the directives of a file that found a file, also those that a guard then left out. Requires records_includes.
    std::vector<Inclusion> includes_in(CXFile file) const;
    /// Returns the file that `source` is the text of.
    CXFile main_file() const { return clang_getFile(unit_, name_.c_str()); }
    /// Calls `visit` for each child of the whole source, of macros too if the includes are recorded.
    template <class Visit>
    void for_each_child_of_source(Visit&& visit) const {
        for_each_child(clang_getTranslationUnitCursor(unit_), visit);
    }
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

    void parse(const std::string& source, const ParseOptions& options);

    CXIndex index_ = nullptr;
    CXTranslationUnit unit_ = nullptr;
    std::string name_;
};

/// Returns the version text of the linked libclang.
std::string libclang_version();

}  // namespace cubind::gen::clang
