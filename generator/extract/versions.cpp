// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/versions.hpp"

#include <algorithm>
#include <charconv>

#include "spec/release.hpp"

namespace cubind::gen::extract {
namespace {

/// Removes "_ptds" or "_ptsz" from the end of a name. Returns "ptds", "ptsz" or an empty text.
std::string remove_variant(std::string& name) {
    for (const std::string variant : {"ptds", "ptsz"}) {
        if (name.ends_with("_" + variant)) {
            name.resize(name.size() - variant.size() - 1);
            return variant;
        }
    }
    return {};
}

/// Removes "_v<digits>" from the end of a name. Returns the number; -1 if there is none or if it is too large.
int remove_version(std::string& name) {
    const std::size_t at = name.rfind("_v");
    if (at == std::string::npos || at + 2 == name.size()) return -1;
    if (!std::all_of(name.begin() + static_cast<std::ptrdiff_t>(at) + 2, name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; })) {
        return -1;
    }
    int version = 0;
    if (std::from_chars(name.data() + at + 2, name.data() + name.size(), version).ec != std::errc()) return -1;
    name.resize(at);
    return version;
}

}  // namespace

void VersionCollector::collect(const std::string& typedef_name) {
    constexpr std::string_view prefix = "PFN_";
    if (!typedef_name.starts_with(prefix)) return;
    std::string name = typedef_name.substr(prefix.size());
    const std::string variant = remove_variant(name);
    const int version = remove_version(name);
    if (version >= 1000) versions_[{name, variant}].push_back(version);
}

void VersionCollector::apply(spec::Facts& facts) const {
    struct Symbol {
        int version;
        spec::Function* function;
    };
    std::map<Family, std::vector<Symbol>> families;
    for (auto& function : facts.functions) {
        std::string name = function.name;
        const std::string variant = remove_variant(name);
        const int version = remove_version(name);
        families[{name, variant}].push_back({std::max(version, 1), &function});
    }
    for (auto& [family, symbols] : families) {
        const auto known = versions_.find(family);
        if (known == versions_.end()) continue;
        std::vector<int> releases = known->second;
        std::sort(releases.begin(), releases.end());
        releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
        if (releases.size() != symbols.size()) continue;
        std::sort(symbols.begin(), symbols.end(), [](auto& a, auto& b) { return a.version < b.version; });
        for (std::size_t index = 0; index < symbols.size(); ++index) {
            symbols[index].function->since = spec::release_text(releases[index]);
        }
    }
}

}  // namespace cubind::gen::extract
