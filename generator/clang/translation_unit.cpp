// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "clang/translation_unit.hpp"

#include "clang/parse_watch.hpp"
#include "error.hpp"

namespace cubind::gen::clang {

TranslationUnit::TranslationUnit(const std::string& name, const std::string& source,
                                 const std::vector<std::filesystem::path>& includes, const std::vector<std::string>& defines,
                                 const std::map<std::string, std::string>& replacements)
    : index_(clang_createIndex(0, 0)), name_(name) {
    // Probe lines of the synthetic source may fail, so the number of errors is not limited.
    std::vector<std::string> arguments = {"-x", "c++", "-std=c++17", "-ferror-limit=0", "-w"};
    for (const auto& folder : includes) arguments.push_back("-I" + folder.string());
    for (const auto& define : defines) arguments.push_back("-D" + define);
    std::vector<const char*> raw;
    for (const auto& argument : arguments) raw.push_back(argument.c_str());

    std::vector<CXUnsavedFile> files = {{name.c_str(), source.c_str(), source.size()}};
    for (const auto& [path, text] : replacements) files.push_back({path.c_str(), text.c_str(), text.size()});
    const ParseWatch watch(name);
    const CXErrorCode code =
        clang_parseTranslationUnit2(index_, name.c_str(), raw.data(), static_cast<int>(raw.size()), files.data(),
                                    static_cast<unsigned>(files.size()), CXTranslationUnit_SkipFunctionBodies, &unit_);
    if (code != CXError_Success) {
        clang_disposeIndex(index_);
        throw InputError("libclang " + libclang_version() + " could not parse " + name + " (error code " + std::to_string(code) +
                         ")");
    }
}

TranslationUnit::~TranslationUnit() {
    clang_disposeTranslationUnit(unit_);
    clang_disposeIndex(index_);
}

std::vector<std::string> TranslationUnit::errors() const {
    std::vector<std::string> found;
    const unsigned count = clang_getNumDiagnostics(unit_);
    for (unsigned index = 0; index < count; ++index) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit_, index);
        const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
        CXFile file = nullptr;
        clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, nullptr, nullptr, nullptr);
        const std::string where = file != nullptr ? to_string(clang_getFileName(file)) : "";
        // A missing header is a fatal error and is reported in the synthetic source that includes it.
        if (severity == CXDiagnostic_Fatal || (severity == CXDiagnostic_Error && where != name_)) {
            found.push_back(to_string(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions())));
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

std::vector<std::string> TranslationUnit::included_files() const {
    std::vector<std::string> found;
    clang_getInclusions(
        unit_,
        [](CXFile file, CXSourceLocation*, unsigned, CXClientData data) {
            static_cast<std::vector<std::string>*>(data)->push_back(to_string(clang_getFileName(file)));
        },
        &found);
    return found;
}

std::string libclang_version() {
    return to_string(clang_getClangVersion());
}

}  // namespace cubind::gen::clang
