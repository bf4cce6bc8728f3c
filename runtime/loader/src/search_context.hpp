// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// The fixed places of the search. They are in a struct so that a test can replace them.
struct SystemPlaces {
    std::vector<std::string> python_prefixes = {"/usr/local", "/usr"};
    std::string cuda_prefix = "/usr/local/cuda";
};

/// State of one search: the row, the places, and the log that becomes the message about a missing library.
struct SearchContext {
    const Library& library;      ///< row of the library
    SystemPlaces places = {};    ///< fixed places
    const char* step = "";       ///< found_via of the current step
    bool is_final_step = false;  ///< set by a step after which no other place is searched
    std::string log = {};        ///< one line for each place without a usable library

    /// Adds a line to the log.
    void note(std::string_view place, std::string_view reason);
    /// Adds a line about a file that has one of the row's refused names.
    void note_refused(std::string_view file);
};

/// Returns the folder that an environment variable names. Returns an empty string and logs the reason if the variable is not
/// set or is not an absolute path. All variables count as not set if the program has privileges that its caller lacks, see
/// environment_variable().
std::string environment_root(SearchContext& context, const char* variable);

}  // namespace CUBIND_NAMESPACE::detail
