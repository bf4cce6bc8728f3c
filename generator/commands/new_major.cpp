// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/new_major.hpp"

#include <algorithm>

#include "spec/release.hpp"

namespace cubind::gen::commands {
namespace {

std::string with_major(std::string text, int before, int now) {
    const std::string old_digits = std::to_string(before);
    const std::size_t at = text.rfind(old_digits);
    return at == std::string::npos ? std::string() : text.replace(at, old_digits.size(), std::to_string(now));
}

/// Replaces the previous major by the new one in each name that contains it. Returns the resulting names that the list lacks.
std::string missing_names(const std::vector<std::string>& list, int before, int now) {
    std::string names;
    for (const auto& name : list) {
        const std::string renamed = with_major(name, before, now);
        if (renamed.empty() || std::find(list.begin(), list.end(), renamed) != list.end()) continue;
        names += (names.empty() ? "" : ", ") + renamed;
    }
    return names;
}

}  // namespace

std::string new_major_text(const MergedLibrary& merged_library) {
    if (merged_library.known.releases.empty()) return {};
    const int before = spec::release_major(merged_library.known.releases.back());
    const int now = spec::release_major(merged_library.release());
    if (now <= before) return {};
    const auto& loading = merged_library.config.loading;
    const std::string file = merged_library.config.library + "/library.json: ";
    const std::string product = merged_library.config.product();
    std::string text =
        merged_library.config.library + ": " + product + " " + std::to_string(now) + " is a new major. Check by hand:\n";
    const auto add = [&](const std::string& line) { text += "  " + line + "\n"; };
    const std::string sonames = missing_names(loading.file_names, before, now);
    if (!sonames.empty())
        add(file + "loading/file_names: if the library is now called " + sonames + ", add that name as the first");
    const std::string wheels = missing_names(loading.wheel_directories, before, now);
    if (!wheels.empty())
        add(file + "loading/wheel_directories: if its wheels install into " + wheels + ", add that folder as the first");
    if (loading.major != 0 && loading.major < now) {
        add(file + "loading/major is " + std::to_string(loading.major) + ", so the wrappers still bind " + product + " " +
            std::to_string(loading.major) + " and reject a library of " + product + " " + std::to_string(now) +
            "; to bind the new major, raise it and move the old file names to refused_file_names");
    }
    add("review the changed signatures and the names that refer to another function, listed below");
    return text;
}

}  // namespace cubind::gen::commands
