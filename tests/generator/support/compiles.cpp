// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/compiles.hpp"

#include "clang/cursor.hpp"

namespace cubind::testing {

std::string compile_errors(const std::string& source, const std::vector<std::filesystem::path>& includes,
                           const std::vector<std::filesystem::path>& vendor_includes, const std::vector<std::string>& defines) {
    std::vector<std::string> arguments = {"-x",    "c++",     "-std=c++20", "-fno-exceptions", "-fno-rtti",
                                          "-Wall", "-Wextra", "-Wpedantic", "-Wconversion"};
    for (const auto& folder : includes) arguments.push_back("-I" + folder.string());
    for (const auto& folder : vendor_includes) arguments.insert(arguments.end(), {"-isystem", folder.string()});
    for (const auto& define : defines) arguments.push_back("-D" + define);
    std::vector<const char*> raw;
    for (const auto& argument : arguments) raw.push_back(argument.c_str());

    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = nullptr;
    CXUnsavedFile file{"check.cpp", source.c_str(), source.size()};
    std::string errors;
    if (clang_parseTranslationUnit2(index, "check.cpp", raw.data(), static_cast<int>(raw.size()), &file, 1, 0, &unit) !=
        CXError_Success) {
        errors = "libclang returned an error instead of a translation unit\n";
    }
    for (unsigned each = 0; each < clang_getNumDiagnostics(unit); ++each) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, each);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Warning) {
            errors += gen::clang::to_string(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions())) + "\n";
        }
        clang_disposeDiagnostic(diagnostic);
    }
    if (unit != nullptr) clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
    return errors;
}

}  // namespace cubind::testing
