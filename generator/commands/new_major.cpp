// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/new_major.hpp"

#include "spec/release.hpp"

#include <algorithm>

namespace cubind::gen::commands {
namespace {

int major_of(const std::string& release) { return spec::release_number(release) / 1000; }

std::string with_major(std::string text, int before, int now) {
    const std::string old_digits = std::to_string(before);
    const std::size_t at = text.rfind(old_digits);
    return at == std::string::npos ? std::string() : text.replace(at, old_digits.size(), std::to_string(now));
}

/// Those names of a list that hold the number of the major before, with the new one in its place, if the list lacks them.
std::string lacking(const std::vector<std::string>& list, int before, int now) {
    std::string names;
    for (const auto& name : list) {
        const std::string renamed = with_major(name, before, now);
        if (renamed.empty() || std::find(list.begin(), list.end(), renamed) != list.end()) continue;
        names += (names.empty() ? "" : ", ") + renamed;
    }
    return names;
}

}  // namespace

std::string new_major_text(const Gathered& gathered) {
    if (gathered.known.releases.empty()) return {};
    const int before = major_of(gathered.known.releases.back());
    const int now = major_of(gathered.release());
    if (now <= before) return {};
    const auto& loading = gathered.config.loading;
    const std::string file = gathered.config.library + "/library.json: ";
    std::string text = gathered.config.library + ": CUDA " + std::to_string(now) + " is a new major; check by hand:\n";
    const auto add = [&](const std::string& line) { text += "  " + line + "\n"; };
    const std::string sonames = lacking(loading.file_names, before, now);
    if (!sonames.empty()) add(file + "loading/file_names: is the library called " + sonames + " now? Then put that first");
    const std::string wheels = lacking(loading.wheel_directories, before, now);
    if (!wheels.empty()) add(file + "loading/wheel_directories: do its wheels install into " + wheels + "? Then put that first");
    if (loading.major != 0 && loading.major < now) {
        add(file + "loading/major is " + std::to_string(loading.major) + ", so the wrappers stay those of CUDA " +
            std::to_string(loading.major) + " and refuse a library of CUDA " + std::to_string(now) +
            "; to follow, raise it and move the old file names to refused_file_names");
    }
    add("signatures that changed in place and names that mean another function are listed below");
    return text;
}

}  // namespace cubind::gen::commands
