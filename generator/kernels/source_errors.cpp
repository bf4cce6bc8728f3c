// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/source_errors.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "error.hpp"
#include "join_strings.hpp"
#include "kernels/prelude.hpp"

namespace cubind::gen::kernels {
namespace {

bool is_function(const clang::Cursor& cursor) {
    switch (cursor.kind()) {
        case CXCursor_FunctionDecl:
        case CXCursor_FunctionTemplate:
        case CXCursor_CXXMethod:
        case CXCursor_Constructor:
        case CXCursor_Destructor:
        case CXCursor_ConversionFunction:
            return true;
        default:
            return false;
    }
}

bool is_class(const clang::Cursor& cursor) {
    switch (cursor.kind()) {
        case CXCursor_StructDecl:
        case CXCursor_UnionDecl:
        case CXCursor_ClassDecl:
        case CXCursor_ClassTemplate:
        case CXCursor_ClassTemplatePartialSpecialization:
            return true;
        default:
            return false;
    }
}

bool is_scope(const clang::Cursor& cursor) {
    return cursor.kind() == CXCursor_Namespace || cursor.kind() == CXCursor_LinkageSpec ||
           cursor.kind() == CXCursor_UnexposedDecl;
}

bool contains(const clang::Cursor& cursor, const clang::Place& place) {
    if (clang_isDeclaration(cursor.kind()) == 0) return false;
    const clang::Place start = cursor.start();
    return start.file == place.file && start.offset <= place.offset && place.offset <= cursor.end().offset;
}

/// Returns the declarations around a place, from the outermost to the innermost, without namespaces.
std::vector<clang::Cursor> declarations_around(const clang::TranslationUnit& unit, const clang::Place& place) {
    std::vector<clang::Cursor> found;
    std::optional<clang::Cursor> next;
    auto look = [&](const clang::Cursor& child) {
        if (!next && contains(child, place)) next = child;
    };
    unit.for_each_child_of_source(look);
    while (next) {
        const clang::Cursor current = *next;
        next.reset();
        if (!is_scope(current)) found.push_back(current);
        if (!is_scope(current) && !is_class(current)) break;
        for (const auto& child : current.children()) look(child);
    }
    return found;
}

bool is_kernel(const clang::Cursor& cursor) {
    const std::vector<std::string> texts = cursor.annotations();
    return std::find(texts.begin(), texts.end(), kernel_annotation) != texts.end();
}

/// Returns whether a line only makes names visible, such as those of a namespace that clang has not seen.
bool makes_names_visible(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.starts_with("using ") || line.starts_with("namespace ");
}

bool is_in_source(const clang::Diagnostic& error, const UserFiles& files) {
    return error.place.file != nullptr && files.is_user(error.place.file);
}

[[noreturn]] void fail(const clang::Diagnostic& error, const UserFiles& files, const std::string& remedy) {
    throw InputError(files.place(error.place) + ": " + error.message + "; " + remedy);
}

std::string remedy_for_missing(const clang::Diagnostic& error, const UserFiles& files, const ReadOptions& options) {
    std::vector<std::string> searched = {std::filesystem::path(files.path(error.place.file)).parent_path().string()};
    if (searched.front().empty()) searched.front() = ".";
    for (const auto* folders : {&options.includes, &options.toolkit_includes}) {
        for (const auto& folder : *folders) searched.push_back(folder.string());
    }
    return "searched in " + join_strings(searched) +
           ". Pass the folder of the header with -I, or the folder of CUDA's headers. NVRTC has no headers of the C and C++ "
           "standard libraries; include <cuda/std/...> instead";
}

}  // namespace

void check_parsed(const clang::TranslationUnit& unit, const UserFiles& files, const ReadOptions& options, unsigned lines) {
    for (const auto& error : unit.diagnostics()) {
        if (error.is_fatal && error.message.ends_with("file not found")) {
            fail(error, files, remedy_for_missing(error, files, options));
        }
        if (error.is_fatal) fail(error, files, "does a header include itself without #pragma once? Correct it");
        const unsigned line = error.place.line;
        if (!files.is_main(error.place.file) || line <= lines) continue;
        const std::size_t index = line - lines - 1;
        const std::string text = index < options.instantiations.size() ? options.instantiations[index] : std::string();
        throw InputError(files.path(error.place.file) + ": the instantiation '" + text + "' does not compile: " + error.message +
                         "; it has to name one kernel template of this file, with the namespace and with arguments that fit");
    }
}

void check_declarations(const clang::TranslationUnit& unit, const UserFiles& files) {
    const std::string remedy = "correct the declaration, or include the header that declares what it uses";
    for (const auto& error : unit.diagnostics()) {
        if (!is_in_source(error, files)) continue;
        const std::vector<clang::Cursor> around = declarations_around(unit, error.place);
        if (around.empty()) {
            if (!makes_names_visible(files.text(error.place.file).line(error.place.line))) fail(error, files, remedy);
        } else if (!is_class(around.front()) && (!is_function(around.front()) || is_kernel(around.front()))) {
            fail(error, files, remedy);
        }
    }
}

void check_classes(const clang::TranslationUnit& unit, const UserFiles& files, const std::set<std::string>& used) {
    for (const auto& error : unit.diagnostics()) {
        if (!is_in_source(error, files)) continue;
        const std::vector<clang::Cursor> around = declarations_around(unit, error.place);
        if (around.empty() || is_function(around.back())) continue;
        const bool is_used =
            std::any_of(around.begin(), around.end(), [&](const clang::Cursor& each) { return used.contains(each.usr()); });
        if (is_used) fail(error, files, "a kernel or a variable uses this type; correct it");
    }
}

}  // namespace cubind::gen::kernels
