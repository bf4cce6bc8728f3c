// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/find.hpp>
#include <cubind/library.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "search/catalogue.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The fixed places of the search. They are in a struct so that a test can replace them.
struct SystemPlaces {
    std::vector<std::string> python_prefixes = {"/usr/local", "/usr"};
    std::string cuda_prefix = "/usr/local/cuda";
    std::string versioned_prefixes = "/usr/local";  ///< parent of folders such as cuda-13.0
    std::vector<std::string> system_prefixes = {"/usr/local", "/usr"};
    std::string ld_cache = "/etc/ld.so.cache";
};

/// What a search has found.
struct Found {
    void* handle = nullptr;  ///< from dlopen; null if the search does not open libraries
    std::string path = {};   ///< absolute path
};

/// State of one search: the row, the places, and the log that becomes the message about a missing library.
struct SearchContext {
    const Library& library;               ///< row of the library; for other artifacts, their names and folders in its form
    SystemPlaces places = {};             ///< fixed places
    const CatalogueRow* row = nullptr;    ///< row of the catalogue; null if the catalogue does not have the library
    bool opens = true;                    ///< whether a library that is found is opened
    std::string toolkit = {};             ///< the only toolkit whose files are used; empty if every toolkit may be used
    const char* step = "";                ///< found_via of the current step
    bool is_final_step = false;           ///< set by a step after which no other place is searched
    std::string log = {};                 ///< one line for each place without a usable library
    std::vector<std::string> notes = {};  ///< see Location::notes
    Found found = {};                     ///< result of a step that returned true

    /// Returns what the search looks for.
    ArtifactKind kind() const noexcept { return row != nullptr ? row->kind : ArtifactKind::library; }
    /// Adds a line to the log.
    void note(std::string_view place, std::string_view reason);
    /// Adds a line to the log and to the notes, unless the notes have it.
    void remark(std::string_view place, std::string_view reason);
    /// Adds a line about a file that has one of the row's refused names.
    void note_refused(std::string_view file);
};

/// Returns the folder that an environment variable names. Returns an empty string and logs the reason if the variable is not
/// set or is not an absolute path. All variables count as not set if the program has privileges that its caller lacks, see
/// environment_variable().
std::string environment_root(SearchContext& context, const char* variable);

/// Returns why the path is not a usable folder; empty if it is one.
std::string folder_problem(const std::string& path);

}  // namespace CUBIND_NAMESPACE::detail
