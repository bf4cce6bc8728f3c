// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/changes.hpp"

#include "commands/new_major.hpp"
#include "diff/compare.hpp"
#include "diff/pages.hpp"
#include "spec/merge.hpp"
#include "spec/release.hpp"

#include <algorithm>
#include <iostream>

namespace cubind::gen::commands {
namespace {

/// Says how the release stands to those that the specs had.
void describe_release(const Gathering& gathering) {
    for (const auto& each : gathering.libraries) {
        const auto& known = each.known.releases;
        std::cout << each.config.library << ": CUDA " << each.release();
        if (std::find(known.begin(), known.end(), each.release()) != known.end()) {
            std::cout << (each.is_same ? " is in the spec already, and these headers say the same"
                               : " is in the spec already; these headers say otherwise and take its place");
        } else if (!known.empty() && spec::EarlierRelease{}(each.release(), known.back())) {
            std::cout << " is older than " << known.back() << ": its facts go below, generated code follows the newest";
        } else {
            std::cout << " is new";
        }
        std::cout << "\n";
    }
}

void print_diff(const Gathering& gathering, const emit::Templates& templates) {
    diff::Libraries libraries;
    for (const auto& each : gathering.libraries) libraries.push_back({each.config, each.merged});
    const std::string& release = gathering.libraries.front().release();
    const auto releases = diff::all_releases(libraries);
    const auto here = std::find(releases.begin(), releases.end(), release);
    if (here == releases.begin()) {
        std::cout << "\nno release before CUDA " << release << " is known, so there is nothing to compare with\n";
        return;
    }
    const spec::Json diff = diff::diff_of(libraries, *(here - 1), release);
    std::cout << "\n" << diff::render(diff, diff::Format::text, templates);
}

/// The names whose next use would call another function than before, now that the headers are these.
void print_changed_meanings(const Gathering& gathering) {
    for (const auto& each : gathering.libraries) {
        const auto& known = each.known.releases;
        if (known.empty() || !spec::EarlierRelease{}(known.back(), each.release())) continue;
        const auto major = each.config.loading.major;
        if (major != 0 && major != spec::release_number(each.release()) / 1000) continue;  // its wrappers stay
        for (const auto& name : diff::compare_public_names(spec::snapshot(each.known, known.back()), each.fresh)) {
            const std::string before = name["old"];
            const std::string now = name["new"];
            if (before.empty() || now.empty() || before == now) continue;
            std::cout << each.config.library << ": " << name["name"].get<std::string>() << " will mean " << now << ", no longer " << before
                      << "; programs that are built anew call the new one\n";
        }
    }
}

}  // namespace

void print_changes(const Gathering& gathering, const emit::Templates& templates) {
    describe_release(gathering);
    for (const auto& gap : gathering.gaps) std::cout << gap << "\n";
    for (const auto& each : gathering.libraries) std::cout << new_major_text(each);
    print_diff(gathering, templates);
    std::cout << "\n";
    print_changed_meanings(gathering);
}

}  // namespace cubind::gen::commands
