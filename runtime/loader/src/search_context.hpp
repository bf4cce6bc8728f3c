// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <cubind/library.hpp>

namespace cubind::detail {

/// The fixed places of the search, in a struct so that a test can stand in for them.
struct SystemPlaces {
    std::vector<std::string> python_prefixes = {"/usr/local", "/usr"};
    std::string cuda_prefix = "/usr/local/cuda";
};

/// What one search knows: the row, the places, and the log that becomes the message of a missing library.
struct SearchContext {
    const Library& library;
    SystemPlaces places = {};
    const char* step = "";        ///< found_via of the step that runs
    bool search_is_over = false;  ///< set by a step that allows no other place after it
    std::string log = {};         ///< one line for each place that gave nothing

    void note(std::string_view place, std::string_view reason);
    /// Notes a file under one of the row's refused names.
    void note_refused(std::string_view file);
};

/// Folder that an environment variable names; empty, with the reason in the log, when it names no absolute
/// path or the program runs with another user's rights.
std::string environment_root(SearchContext& context, const char* variable);

}  // namespace cubind::detail
