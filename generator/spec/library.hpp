// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/version.hpp"

/// library.json holds everything in which one library differs from another. It is written by hand, one file per library.
namespace cubind::gen::spec {

/// A set of preprocessor definitions under which the headers are read.
struct ViewConfig {
    std::string name;                  ///< empty for the headers without extra definitions
    std::vector<std::string> defines;  ///< such as "__CUDA_API_VERSION_INTERNAL"
};

/// The macro that holds the release of CUDA as 1000 * major + 10 * minor, and its header.
struct ReleaseConfig {
    std::string header;
    std::string macro;
    bool operator==(const ReleaseConfig&) const = default;
};

/// A header that vendor.hpp does not include, because it includes headers of other software, or because an installation may lack
/// it.
struct SideHeaderConfig {
    std::string guard;  ///< macro that is defined if the header is included
    /// Headers of other software that the header requires, and the lines of C that declare what it uses of them.
    std::map<std::string, std::vector<std::string>> foreign;
};

/// The status that functions return, and the values that a wrapper returns if it cannot call the function.
struct StatusConfig {
    std::string type;   ///< an enum, or a struct whose first field is one
    std::string field;  ///< that first field; empty if the type is an enum
    /// Functions that return the status as an integer. Their wrappers return it as `type`.
    std::vector<std::string> integer_functions;
    /// What a function without a status returns if it is missing, by function or by the type that it returns: a number or the
    /// name of an enumerator, optionally after a minus sign.
    std::map<std::string, std::string> missing_values;
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
    /// The exported function that writes or returns the version, see model::VersionCall; may be empty.
    std::string version_function;
    std::vector<std::string> version_properties;  ///< enumerators of major, minor and patch that version_function receives
    std::vector<std::int64_t> version_weights;    ///< weights of the parts in its number; empty for 1000 and 10
    /// The name to look up if a file does not export a symbol; {symbol} is replaced by the symbol. May be empty.
    std::string fallback_symbol;
    std::int64_t major = 0;    ///< the only compatible major of the releases in the spec; 0 if every major is compatible
    std::string oldest;        ///< the oldest compatible release; empty if every release is compatible
    std::string refused_from;  ///< the first later release that is not compatible; empty if every later release is
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
    /// First releases of headers that are younger than the library, by header.
    std::map<std::string, std::string> headers_since;
    /// First releases of headers that have an include guard, by header. vendor.hpp does not include the headers of earlier
    /// releases.
    std::map<std::string, std::string> headers_guarded_since;
    std::map<std::string, SideHeaderConfig> side_headers;  ///< further headers that entries are bound from
    std::vector<std::string> uses;                         ///< libraries whose types this library uses
    std::vector<std::string> versions_headers;             ///< headers with PFN_<name>_v<release> types
    ReleaseConfig release;                                 ///< empty if the spec is numbered by the library's own versions
    VersionConfig version;                                 ///< the library's own version; empty if it has none
    std::vector<ViewConfig> views;
    std::string per_thread_macro;  ///< macro that selects the per-thread default stream; may be empty
    std::string twin_prefix;       ///< prefix of second names of functions, which are not bound; may be empty
    StatusConfig status;
    LoadingConfig loading;
    QueriesConfig queries;
    /// Wheels that hold the library, by CUDA major ("12") or by the first release of a major that has the library ("12.4"). The
    /// keys "include_directories" and "files" describe the content of the wheels. The generator does not use them; scripts/ does.
    std::map<std::string, std::vector<std::string>> packages;
    std::string documentation;                    ///< URL pattern; {group} is replaced by the documentation group
    std::map<std::string, std::string> sections;  ///< text of a comment in the headers to the group of the declarations after it
    std::map<std::string, std::string> groups;    ///< documentation group to name of the generated file
    bool is_default = false;                      ///< whether a build that does not select libraries has this one
    std::string default_group;                    ///< group of the functions that the headers put in none; may be empty
    SimulationConfig simulated;                   ///< whether and how the files of a simulated library are generated

    /// Returns whether the spec is numbered by releases of CUDA. Otherwise the library's own versions are its releases.
    bool is_numbered_by_cuda() const { return !release.macro.empty(); }
    /// Returns the name that precedes a release in texts: "CUDA", or the product with versions of its own.
    std::string product() const { return is_numbered_by_cuda() ? "CUDA" : version.product; }
    /// Returns "CUDA 13.4", for example.
    std::string with_product(const std::string& number) const { return product() + " " + number; }
    /// Returns the header that states the release.
    const std::string& release_header() const { return is_numbered_by_cuda() ? release.header : version.header; }
    /// Returns the headers that entries are bound from: `headers` and `side_headers`.
    std::vector<std::string> bound_headers() const;
    /// Returns the lines that declare what the side headers use of headers of other software, by that header.
    std::map<std::string, std::vector<std::string>> foreign_headers() const;
    /// Returns the preprocessor's condition for entries of `header`, such as "defined(TOY_BOX_H)"; empty if vendor.hpp includes
    /// the header.
    std::string side_condition(const std::string& header) const;
    /// Returns whether a release has a header of `headers` or `type_headers`.
    bool has_header(const std::string& header, const std::string& of_release) const;
    /// Returns the macros that differ in each release.
    std::vector<std::string> release_macros() const;
    /// Returns release_number() of the first possible release of a major.
    std::int64_t first_number_of(std::int64_t major) const { return major * (is_numbered_by_cuda() ? 1000 : 1000000); }
};

/// Reads and checks one library.json. Throws InputError with file and key.
LibraryConfig read_library(const std::filesystem::path& file);

}  // namespace cubind::gen::spec
