// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// library.json: all that distinguishes one library from another. Hand-written, one per library.
namespace cubind::gen::spec {

/// A set of preprocessor definitions under which the headers are read.
struct ViewConfig {
    std::string name;                  ///< empty for the headers as a programmer includes them
    std::vector<std::string> defines;  ///< e.g. "__CUDA_API_VERSION_INTERNAL"
};

/// Where the number of the release stands: a macro 1000 * major + 10 * minor.
struct ReleaseConfig {
    std::string header;
    std::string macro;
};

/// The enum that functions return, and what a wrapper returns when there is nothing to call.
struct StatusConfig {
    std::string type;
    std::string library_missing;
    std::string symbol_missing;
    std::string invalid_argument;  ///< what a call that was given nonsense returns
};

/// One row of the loader's table.
struct LoadingConfig {
    std::vector<std::string> file_names;          ///< sonames, preferred first
    std::vector<std::string> refused_file_names;  ///< sonames of majors that the binding does not fit
    std::vector<std::string> wheel_directories;   ///< below a site-packages folder
    bool from_os_loader_only = false;
    std::string version_function;  ///< exported `int f(int *version)` or `int f(int *major, int *minor)`; may be empty
    std::string fallback_symbol;   ///< pattern with {symbol}: the name in files that do not export the symbol itself; may be empty
    std::int64_t major = 0;        ///< the only one that fits, as version_function tells it; 0 if any does
};

/// Functions that tell what objects depend on; each may be empty.
struct QueriesConfig {
    std::string current_context;  ///< writes the calling thread's context to its one parameter
    std::string is_capturing;     ///< writes to its second parameter what is not zero while the stream in its first is captured
};

struct LibraryConfig {
    std::string library;
    std::string title;
    std::vector<std::string> headers;       ///< what a programmer includes; entries are bound from these
    std::vector<std::string> type_headers;  ///< further headers whose types and constants are bound
    std::string versions_header;            ///< header with PFN_<name>_v<release> types, if there is one
    ReleaseConfig release;
    std::vector<ViewConfig> views;
    std::string per_thread_macro;  ///< the macro that asks for the per-thread default stream, if there is one
    StatusConfig status;
    LoadingConfig loading;
    QueriesConfig queries;
    std::string documentation;                  ///< URL pattern; {group} stands for the documentation group
    std::map<std::string, std::string> groups;  ///< documentation group to name of the generated file
    bool simulated = false;                     ///< whether what a simulated library is made of is generated, too
};

/// Reads and checks one library.json. Throws InputError naming file and key.
LibraryConfig read_library(const std::filesystem::path& file);

}  // namespace cubind::gen::spec
