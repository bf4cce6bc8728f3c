// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/changes.hpp"

#include <algorithm>
#include <iostream>

#include "commands/new_major.hpp"
#include "diff/compare.hpp"
#include "diff/pages.hpp"
#include "spec/merge.hpp"
#include "spec/release.hpp"

namespace cubind::gen::commands {
namespace {

/// Prints for each library whether the release is new, older than the known ones, or already in the spec.
void describe_release(const MergedRelease& merged_release) {
    for (const auto& each : merged_release.libraries) {
        const auto& known = each.known.releases;
        std::cout << each.config.library << ": " << each.config.with_product(each.release());
        if (std::find(known.begin(), known.end(), each.release()) != known.end()) {
            std::cout << (each.is_unchanged ? " is already in the spec, with the same facts"
                                            : " is already in the spec; its facts are replaced by the facts of these headers");
        } else if (!known.empty() && spec::EarlierRelease{}(each.release(), known.back())) {
            std::cout << " is older than " << known.back()
                      << "; its facts are added, and the generated code still follows the newest release";
        } else {
            std::cout << " is new";
        }
        std::cout << "\n";
    }
}

/// Prints the changes in libraries with one numbering since the release before.
void print_diff(const diff::Libraries& libraries, const std::string& release, const emit::Templates& templates) {
    const auto releases = diff::all_releases(libraries);
    const auto here = std::find(releases.begin(), releases.end(), release);
    if (here == releases.begin()) {
        std::cout << "\nThe specs have no release before " << libraries.front().config.with_product(release)
                  << ", so nothing is compared.\n";
        return;
    }
    const spec::Json diff = diff::compare_releases(libraries, *(here - 1), release);
    std::cout << "\n" << diff::render(diff, diff::Format::text, templates);
}

void print_diffs(const MergedRelease& merged_release, const emit::Templates& templates) {
    diff::Libraries libraries;
    std::map<std::string, std::string> releases;
    for (const auto& each : merged_release.libraries) {
        libraries.push_back({each.config, each.merged});
        releases[each.config.library] = each.release();
    }
    for (const auto& group : diff::by_numbering(libraries)) {
        print_diff(group, releases.at(group.front().config.library), templates);
    }
}

/// Prints the public names that refer to another function in this release than in the newest release before it.
void print_changed_meanings(const MergedRelease& merged_release) {
    for (const auto& each : merged_release.libraries) {
        const auto& known = each.known.releases;
        if (known.empty() || !spec::EarlierRelease{}(known.back(), each.release())) continue;
        const auto major = each.config.loading.major;
        if (major != 0 && major != spec::release_major(each.release())) continue;  // the wrappers bind another major
        for (const auto& name : diff::compare_public_names(spec::snapshot(each.known, known.back()), each.fresh)) {
            const std::string before = name["old"];
            const std::string now = name["new"];
            if (before.empty() || now.empty() || before == now) continue;
            std::cout << each.config.library << ": " << name["name"].get<std::string>() << " now refers to " << now
                      << " instead of " << before << "; recompiled programs call " << now << "\n";
        }
    }
}

}  // namespace

void print_changes(const MergedRelease& merged_release, const emit::Templates& templates) {
    describe_release(merged_release);
    for (const auto& gap : merged_release.gaps) std::cout << gap << "\n";
    for (const auto& each : merged_release.libraries) std::cout << new_major_text(each);
    print_diffs(merged_release, templates);
    std::cout << "\n";
    print_changed_meanings(merged_release);
}

}  // namespace cubind::gen::commands
