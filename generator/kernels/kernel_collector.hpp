// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "kernels/declarations.hpp"
#include "kernels/host_types.hpp"
#include "kernels/kernel_file.hpp"
#include "kernels/read_kernel_file.hpp"
#include "kernels/user_files.hpp"

namespace cubind::gen::kernels {

/// Describes the kernels and the instances of kernel templates.
class KernelCollector {
public:
    KernelCollector(KernelFile& result, HostTypes& types, const UserFiles& files, const Declarations& declarations);

    void collect(const ReadOptions& options);

private:
    void add_function(const KernelDeclarations& kernel);
    void add_template(const KernelDeclarations& pattern);
    void add(const KernelDeclarations& kernel, const clang::Cursor& function, const std::string& name_expression);
    void add_specialization(const KernelDeclarations& kernel, const clang::Cursor& function);
    void add_instance(const std::string& text, const std::string& variable);
    void add_bounds(Kernel& kernel, const KernelDeclarations& source, const clang::Cursor& function) const;
    void add_parameters(Kernel& kernel, const KernelDeclarations& source, const clang::Cursor& function,
                        const std::string& place);
    std::string where(const KernelDeclarations& kernel) const;

    KernelFile& result_;
    HostTypes& types_;
    const UserFiles& files_;
    const Declarations& declarations_;
    std::map<std::string, int> uses_;     ///< number of kernels and templates by qualified name
    std::set<std::string> instances_;     ///< mangled names
    std::set<std::string> instantiated_;  ///< USR of templates
};

}  // namespace cubind::gen::kernels
