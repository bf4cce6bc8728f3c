// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// library.json holds everything in which one library differs from another. It is written by hand, one file per library.
namespace cubind::gen::spec {

/// A set of preprocessor definitions under which the headers are read.
struct ViewConfig {
    std::string name;                  ///< empty for the headers without extra definitions
    std::vector<std::string> defines;  ///< such as "__CUDA_API_VERSION_INTERNAL"
};

/// The macro that holds the release as 1000 * major + 10 * minor, and its header.
struct ReleaseConfig {
    std::string header;
    std::string macro;
};

/// The enum that functions return, and the values that a wrapper returns if it cannot call the function.
struct StatusConfig {
    std::string type;
    std::string library_missing;
    std::string symbol_missing;
    std::string invalid_argument;  ///< value that a call with an invalid argument returns
};

/// One row of the loader's table.
struct LoadingConfig {
    std::vector<std::string> file_names;          ///< sonames, preferred first
    std::vector<std::string> refused_file_names;  ///< sonames of majors that the binding is not compatible with
    std::vector<std::string> wheel_directories;   ///< relative to a site-packages folder
    bool from_os_loader_only = false;
    std::string version_function;  ///< exported `int f(int *version)` or `int f(int *major, int *minor)`; may be empty
    /// The name to look up if a file does not export a symbol; {symbol} stands for the symbol. May be empty.
    std::string fallback_symbol;
    std::int64_t major = 0;  ///< the only compatible major, as version_function returns it; 0 if every major is compatible
};

/// Functions that return state which objects depend on. Each may be empty.
struct QueriesConfig {
    std::string current_context;  ///< writes the calling thread's context to its one parameter
    /// Writes a nonzero value to its second parameter while the stream in its first parameter is captured.
    std::string is_capturing;
};

/// The simulation of a library. Without it, `header` is empty.
struct SimulationConfig {
    std::string space;   ///< namespace of the simulated functions, within cubind
    std::string header;  ///< declares what the generated symbols call, such as refuse() and answer()
};

struct LibraryConfig {
    std::string library;
    std::string title;
    std::vector<std::string> headers;       ///< headers that programs include and that entries are bound from
    std::vector<std::string> type_headers;  ///< further headers whose types and constants are bound
    std::string versions_header;            ///< header with PFN_<name>_v<release> types; may be empty
    ReleaseConfig release;
    std::vector<ViewConfig> views;
    std::string per_thread_macro;  ///< macro that selects the per-thread default stream; may be empty
    StatusConfig status;
    LoadingConfig loading;
    QueriesConfig queries;
    /// Wheels that hold the library, by CUDA major ("12") or by the first release of a major that has the library ("12.4"). The
    /// keys "include_directories" and "files" describe the content of the wheels. The generator does not use them; scripts/ does.
    std::map<std::string, std::vector<std::string>> packages;
    std::string documentation;                  ///< URL pattern; {group} is replaced by the documentation group
    std::map<std::string, std::string> groups;  ///< documentation group to name of the generated file
    std::string default_group;                  ///< group of the functions that the headers put in none; may be empty
    SimulationConfig simulated;                 ///< whether and how the files of a simulated library are generated
};

/// Reads and checks one library.json. Throws InputError with file and key.
LibraryConfig read_library(const std::filesystem::path& file);

}  // namespace cubind::gen::spec
