// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clang/translation_unit.hpp"
#include "kernels/user_files.hpp"

namespace cubind::gen::kernels {

/// All declarations of one kernel or kernel template.
struct KernelDeclarations {
    std::vector<clang::Cursor> all;
    std::optional<std::size_t> definition;  ///< index into `all`

    /// Returns the definition, or the first declaration if there is none.
    const clang::Cursor& main() const { return all[definition.value_or(0)]; }
    bool is_defined() const { return definition.has_value(); }
    /// Returns the text after `prefix` of the first annotation that begins with it.
    std::optional<std::string> annotation(const std::string& prefix) const;
};

/// The declarations of the user's files that matter to the host, in the order of the source.
class Declarations {
public:
    Declarations(const clang::TranslationUnit& unit, const UserFiles& files);

    const std::vector<KernelDeclarations>& kernels() const { return kernels_; }
    const std::vector<KernelDeclarations>& templates() const { return templates_; }
    const std::vector<clang::Cursor>& variables() const { return variables_; }
    /// Returns the template with this USR; null if it is no kernel template.
    const KernelDeclarations* find_template(const std::string& usr) const;
    /// Returns the function that a variable of instantiation_lines() names; a null cursor if it names none.
    clang::Cursor instance(const std::string& variable) const;
    /// Returns the functions that explicit instantiations name.
    const std::vector<clang::Cursor>& explicit_instances() const { return explicit_instances_; }
    /// Returns the value of a constant that is visible in the namespaces around a declaration.
    std::optional<std::int64_t> constant(const std::string& name, const clang::Cursor& user) const;

private:
    void visit(const clang::Cursor& cursor, const UserFiles& files);
    void add_kernel(const clang::Cursor& cursor, const UserFiles& files, std::vector<KernelDeclarations>& list);
    void add_variable(const clang::Cursor& cursor);

    std::vector<KernelDeclarations> kernels_, templates_;
    std::map<std::string, std::size_t> index_;  ///< into either list, by USR
    std::vector<clang::Cursor> variables_;
    std::map<std::string, clang::Cursor> instances_;
    std::vector<clang::Cursor> explicit_instances_;
    std::map<std::string, clang::Cursor> constants_;  ///< by qualified name
};

}  // namespace cubind::gen::kernels
