// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "clang/cursor.hpp"
#include "kernels/kernel_file.hpp"
#include "kernels/user_files.hpp"

namespace cubind::gen::kernels {

/// Writes types of the device for the host's compiler. Types of the user's headers keep their names, unless the host cannot
/// include the headers. Other classes and enums are declared in the generated header: those of the .cu file, of CUDA, and of the
/// compiler.
class HostTypes {
public:
    /// Stores the types to be declared in `result`. `prefix` stands before their names. `device_includes` are the headers, as
    /// UserFiles::host_include() has them, that the host cannot include, because they or headers in them define kernels.
    HostTypes(KernelFile& result, const UserFiles& files, std::string prefix, std::set<std::string> device_includes)
        : result_(result), files_(files), prefix_(std::move(prefix)), device_includes_(std::move(device_includes)) {}

    /// Returns the text of the type. `place` begins messages: the place in a file and what has the type. An object of the type is
    /// passed to the device if `is_value`; then it must be a type that the host can copy byte by byte. Throws InputError
    /// otherwise.
    std::string text(const clang::Type& type, const std::string& place, bool is_value);
    /// Returns an enumerator with this value, or a conversion of the value to the enum.
    std::string enumerator(const clang::Type& type, std::int64_t value, const std::string& place);
    /// Returns the classes that were used, and those of their members, by their USR.
    const std::set<std::string>& used_classes() const { return used_; }

private:
    void use(const clang::Cursor& declaration);
    std::string named_type(const clang::Type& type, const std::string& place, bool is_value);
    std::string header_type(const clang::Type& type);
    std::string declared_type(const clang::Type& type, const std::string& place);
    void add_enum(const clang::Type& type, Enum declared, const std::string& place);
    void add_record(const clang::Type& type, Record declared, const std::string& place);
    bool is_known_to_host(const clang::Type& type) const;
    bool is_in_header(const clang::Type& type) const;

    KernelFile& result_;
    const UserFiles& files_;
    std::string prefix_;
    std::set<std::string> device_includes_;
    std::map<std::string, std::string> declared_;  ///< names in the generated header by names in the source
    std::map<std::string, std::string> names_;     ///< the other direction
    std::set<std::string> used_;
};

}  // namespace cubind::gen::kernels
