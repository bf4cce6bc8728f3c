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
    ParseOptions options{{"-x", "c++", "-std=c++17", "-ferror-limit=0", "-w"}, replacements};
    for (const auto& folder : includes) options.arguments.push_back("-I" + folder.string());
    for (const auto& define : defines) options.arguments.push_back("-D" + define);
    parse(source, options);
}

TranslationUnit::TranslationUnit(const std::string& name, const std::string& source, const ParseOptions& options)
    : index_(clang_createIndex(0, 0)), name_(name) {
    parse(source, options);
}

void TranslationUnit::parse(const std::string& source, const ParseOptions& options) {
    std::vector<const char*> raw;
    for (const auto& argument : options.arguments) raw.push_back(argument.c_str());

    std::vector<CXUnsavedFile> files = {{name_.c_str(), source.c_str(), source.size()}};
    for (const auto& [path, text] : options.replacements) files.push_back({path.c_str(), text.c_str(), text.size()});
    unsigned flags = CXTranslationUnit_SkipFunctionBodies;
    if (options.records_includes) flags |= CXTranslationUnit_DetailedPreprocessingRecord;
    const ParseWatch watch(name_);
    const CXErrorCode code = clang_parseTranslationUnit2(index_, name_.c_str(), raw.data(), static_cast<int>(raw.size()),
                                                         files.data(), static_cast<unsigned>(files.size()), flags, &unit_);
    if (code != CXError_Success) {
        clang_disposeIndex(index_);
        throw InputError("libclang " + libclang_version() + " could not parse " + name_ + " (error code " + std::to_string(code) +
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

std::vector<Diagnostic> TranslationUnit::diagnostics() const {
    std::vector<Diagnostic> found;
    const unsigned count = clang_getNumDiagnostics(unit_);
    for (unsigned index = 0; index < count; ++index) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit_, index);
        const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
        if (severity >= CXDiagnostic_Error) {
            Place place;
            clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &place.file, &place.line, &place.column,
                                       &place.offset);
            found.push_back({place, to_string(clang_getDiagnosticSpelling(diagnostic)), severity == CXDiagnostic_Fatal});
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

std::vector<Inclusion> TranslationUnit::includes_in(CXFile file) const {
    std::vector<Inclusion> found;
    const auto visit = [](CXClientData data, CXCursor cursor, CXSourceRange) {
        const Cursor inclusion(cursor);
        static_cast<std::vector<Inclusion>*>(data)->push_back(
            {inclusion.spelling(), inclusion.place().line, clang_getIncludedFile(cursor)});
        return CXVisit_Continue;
    };
    clang_findIncludesInFile(unit_, file, {&found, visit});
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
