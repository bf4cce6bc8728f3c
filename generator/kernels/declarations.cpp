// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/declarations.hpp"

#include <algorithm>

#include "kernels/host_names.hpp"
#include "kernels/instantiations.hpp"
#include "kernels/prelude.hpp"

namespace cubind::gen::kernels {
namespace {

bool has_annotation(const clang::Cursor& cursor, const char* annotation) {
    const std::vector<std::string> texts = cursor.annotations();
    return std::find(texts.begin(), texts.end(), annotation) != texts.end();
}

bool is_on_device(const clang::Cursor& cursor) {
    return has_annotation(cursor, device_annotation) || has_annotation(cursor, constant_annotation) ||
           has_annotation(cursor, managed_annotation);
}

/// Returns whether a body follows a function in the text of its file. libclang does not tell about bodies that it skips.
bool has_body(const clang::Cursor& function, const std::string& text) {
    if (text.compare(function.place().offset, function.spelling().size(), function.spelling()) != 0) return true;  // in a macro
    for (std::size_t at = function.end().offset; at < text.size(); ++at) {
        if (text[at] == '{' || text[at] == ';') return text[at] == '{';
        if (text.compare(at, 2, "//") == 0) at = std::min(text.find('\n', at), text.size());
        if (text.compare(at, 2, "/*") == 0) at = std::min(text.find("*/", at), text.size());
    }
    return false;
}

/// Returns the first function below a cursor that an expression names.
clang::Cursor named_function(const clang::Cursor& cursor) {
    for (const auto& child : cursor.children()) {
        if (child.kind() == CXCursor_DeclRefExpr && child.referenced().kind() == CXCursor_FunctionDecl) return child.referenced();
        const clang::Cursor found = named_function(child);
        if (!found.is_null()) return found;
    }
    return clang::Cursor(clang_getNullCursor());
}

}  // namespace

std::optional<std::string> KernelDeclarations::annotation(const std::string& prefix) const {
    for (const auto& declaration : all) {
        for (const auto& text : declaration.annotations()) {
            if (text.starts_with(prefix)) return text.substr(prefix.size());
        }
    }
    return std::nullopt;
}

Declarations::Declarations(const clang::TranslationUnit& unit, const UserFiles& files) {
    unit.for_each_child_of_source([&](const clang::Cursor& child) { visit(child, files); });
}

void Declarations::visit(const clang::Cursor& cursor, const UserFiles& files) {
    if (clang_isDeclaration(cursor.kind()) == 0) return;
    const CXFile file = cursor.file();
    if (file == nullptr || !files.is_user(file)) return;
    switch (cursor.kind()) {
        case CXCursor_Namespace:
        case CXCursor_LinkageSpec:
        case CXCursor_UnexposedDecl:
            for (const auto& child : cursor.children()) visit(child, files);
            break;
        case CXCursor_FunctionDecl:
            if (has_annotation(cursor, kernel_annotation)) add_kernel(cursor, files, kernels_);
            break;
        case CXCursor_FunctionTemplate:
            if (has_annotation(cursor, kernel_annotation)) add_kernel(cursor, files, templates_);
            break;
        case CXCursor_VarDecl:
            add_variable(cursor);
            break;
        case CXCursor_StructDecl:
        case CXCursor_ClassDecl:
            for (const auto& child : cursor.children()) {
                if (child.kind() == CXCursor_VarDecl) constants_.emplace(qualified_name(cursor) + "::" + child.spelling(), child);
            }
            break;
        case CXCursor_EnumDecl:
            for (const auto& child : cursor.children()) {
                const std::string scope = qualified_name(cursor) + "::";
                constants_.emplace(scope + child.spelling(), child);
                if (!cursor.is_scoped_enum()) constants_.emplace(join_names(namespaces_of(cursor), child.spelling()), child);
            }
            break;
        default:
            break;
    }
}

void Declarations::add_kernel(const clang::Cursor& cursor, const UserFiles& files, std::vector<KernelDeclarations>& list) {
    const auto [known, is_new] = index_.emplace(cursor.usr(), list.size());
    if (is_new) list.emplace_back();
    KernelDeclarations& kernel = list[known->second];
    kernel.all.push_back(cursor);
    if (has_body(cursor, files.text(cursor.file()).text())) kernel.definition = kernel.all.size() - 1;
}

void Declarations::add_variable(const clang::Cursor& cursor) {
    const std::string name = cursor.spelling();
    if (is_on_device(cursor)) {
        // A variable after extern "C" without braces is only declared in C++, but NVRTC defines it.
        const bool is_defined = cursor.is_definition() || !cursor.is_extern();
        if (is_defined && index_.emplace(cursor.usr(), variables_.size()).second) variables_.push_back(cursor);
        return;
    }
    if (name.starts_with("cubind_instance_")) {
        instances_.emplace(name, named_function(cursor));
    } else if (name.starts_with(explicit_instantiation_variable)) {
        const clang::Cursor function = named_function(cursor);
        if (!function.is_null()) explicit_instances_.push_back(function);
    } else {
        constants_.emplace(qualified_name(cursor), cursor);
    }
}

const KernelDeclarations* Declarations::find_template(const std::string& usr) const {
    const auto found = index_.find(usr);
    if (found == index_.end() || found->second >= templates_.size()) return nullptr;
    const KernelDeclarations& pattern = templates_[found->second];
    return pattern.all.front().usr() == usr ? &pattern : nullptr;
}

clang::Cursor Declarations::instance(const std::string& variable) const {
    const auto found = instances_.find(variable);
    return found != instances_.end() ? found->second : clang::Cursor(clang_getNullCursor());
}

std::optional<std::int64_t> Declarations::constant(const std::string& name, const clang::Cursor& user) const {
    std::vector<std::string> namespaces = namespaces_of(user);
    while (true) {
        const auto found = constants_.find(join_names(namespaces, name));
        if (found != constants_.end()) {
            const clang::Cursor& constant = found->second;
            if (constant.kind() == CXCursor_EnumConstantDecl) return constant.enumerator_value(false);
            return constant.type().is_const() ? constant.integer_value() : std::nullopt;
        }
        if (namespaces.empty()) return std::nullopt;
        namespaces.pop_back();
    }
}

}  // namespace cubind::gen::kernels
