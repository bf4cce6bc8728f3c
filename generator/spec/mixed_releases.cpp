// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/mixed_releases.hpp"

#include <algorithm>

#include "error.hpp"
#include "spec/timeline.hpp"

namespace cubind::gen::spec {
namespace {

/// The facts of one release.
struct Snapshot {
    const Facts& facts;
    const std::string& release;
};

/// Returns the bodies of the entries that a header declares, by name.
template <class Entries>
auto bodies_of(const Entries& entries, const std::string& release, const std::string& header) {
    std::map<std::string, decltype(body_in(entries.front(), release))> found;
    for (const auto& entry : entries) {
        const auto* const body = body_in(entry, release);
        if (body != nullptr && body->header == header) found.emplace(entry.name, body);
    }
    return found;
}

std::map<std::string, std::int64_t> values_of(const Snapshot& snapshot, const std::string& header) {
    std::map<std::string, std::int64_t> found;
    for (const auto& entry : snapshot.facts.enums) {
        const EnumBody* const owner = body_in(entry, snapshot.release);
        if (owner == nullptr || owner->header != header) continue;
        for (const auto& enumerator : entry.enumerators) {
            const EnumeratorBody* const body = body_in(enumerator, snapshot.release);
            if (body != nullptr) found.emplace(enumerator.name, body->value);
        }
    }
    return found;
}

template <class Entries>
bool same_bodies(const Snapshot& one, const Snapshot& other, Entries Facts::*entries, const std::string& header) {
    const auto ours = bodies_of(one.facts.*entries, one.release, header);
    const auto theirs = bodies_of(other.facts.*entries, other.release, header);
    return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first && *a.second == *b.second; });
}

bool declares_the_same(const Snapshot& one, const Snapshot& other, const std::string& header) {
    const auto same = [&](auto entries) { return same_bodies(one, other, entries, header); };
    return same(&Facts::functions) && same(&Facts::enums) && values_of(one, header) == values_of(other, header) &&
           same(&Facts::records) && same(&Facts::opaque_records) && same(&Facts::handles) && same(&Facts::aliases) &&
           same(&Facts::callbacks) && same(&Facts::constants) && same(&Facts::variables);
}

std::string path_of(const std::string& header, const std::vector<std::filesystem::path>& includes) {
    for (const auto& folder : includes) {
        if (std::filesystem::exists(folder / header)) return (folder / header).string();
    }
    return header;
}

}  // namespace

void check_mixed_releases(const Facts& known, const Facts& fresh, const LibraryConfig& config,
                          const std::vector<std::filesystem::path>& includes) {
    const std::string& release = fresh.releases.front();
    const auto fail = [&](const std::string& header, const std::string& what, const std::string& other) {
        throw InputError(path_of(header, includes) + " " + what + " of " + config.with_product(other) + ", but " +
                         path_of(config.release_header(), includes) + " states " + config.with_product(release) +
                         "; pass headers of one release only. If api.json of " + config.library + " is wrong about " + release +
                         ", delete the file and extract the headers of each release again");
    };
    const auto version = fresh.versions.find(release);
    for (const auto& [other, known_version] : known.versions) {
        if (version == fresh.versions.end() || other == release) continue;
        const bool is_in_order = EarlierRelease{}(other, release) ? !EarlierRelease{}(version->second, known_version)
                                                                  : !EarlierRelease{}(known_version, version->second);
        if (!is_in_order) {
            fail(config.version.header,
                 "states " + config.version.product + " " + version->second + ", which does not fit " + known_version, other);
        }
    }
    if (std::find(known.releases.begin(), known.releases.end(), release) == known.releases.end()) return;
    std::vector<std::string> headers = config.bound_headers();
    headers.insert(headers.end(), config.type_headers.begin(), config.type_headers.end());
    for (const auto& header : headers) {
        if (declares_the_same({fresh, release}, {known, release}, header)) continue;
        for (const auto& other : known.releases) {
            if (other != release && declares_the_same({fresh, release}, {known, other}, header)) {
                fail(header, "has the declarations", other);
            }
        }
    }
}

}  // namespace cubind::gen::spec
