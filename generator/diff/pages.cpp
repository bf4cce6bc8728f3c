// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/pages.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "diff/compare.hpp"
#include "diff/page.hpp"
#include "emit/banner.hpp"
#include "error.hpp"
#include "join_strings.hpp"
#include "spec/merge.hpp"
#include "spec/release.hpp"

namespace cubind::gen::diff {
namespace {

bool has_release(const Library& library, const std::string& release) {
    const auto& releases = library.facts.releases;
    return std::find(releases.begin(), releases.end(), release) != releases.end();
}

/// A cache of the snapshots of releases.
class Snapshots {
public:
    const spec::Facts& get(const Library& library, const std::string& release) {
        const auto [entry, is_new] = snapshots_.try_emplace({library.config.library, release});
        if (is_new) entry->second = spec::snapshot(library.facts, release);
        return entry->second;
    }

private:
    std::map<std::pair<std::string, std::string>, spec::Facts> snapshots_;
};

spec::Json compare_library(const Library& library, const spec::Facts& before, const spec::Facts& after) {
    spec::Json json = compare(before, after);
    json["title"] = library.config.title;
    json["release_macros"] = spec::Json::array();
    for (const auto& macro : library.config.release_macros()) json["release_macros"].push_back(macro);
    return json;
}

std::string render_page(const spec::Json& page, const std::string& name, const emit::Templates& templates) {
    const emit::Data data = emit::to_data(page);
    return templates.render(name, {&data});
}

spec::Json compare_releases(const Libraries& libraries, const std::string& before, const std::string& after,
                            Snapshots& snapshots) {
    const spec::LibraryConfig& config = libraries.front().config;
    spec::Json diff{{"product", config.product()},
                    {"library_option", config.is_numbered_by_cuda() ? "" : " --library " + config.library},
                    {"old", before},
                    {"new", after},
                    {"gaps", spec::Json::array()},
                    {"libraries", spec::Json::array()}};
    for (const auto& library : libraries) {
        const std::string& first = library.facts.releases.front();
        const spec::EarlierRelease is_earlier;
        if (is_earlier(before, first) && is_earlier(after, first)) continue;  // the library did not exist yet
        const std::string missing = !has_release(library, before) ? before : !has_release(library, after) ? after : "";
        if (is_earlier(before, first) && after == first) {
            diff["gaps"].push_back(library.config.library + ": " + config.with_product(after) + " is its first release");
        } else if (missing.empty()) {
            diff["libraries"].push_back(compare_library(library, snapshots.get(library, before), snapshots.get(library, after)));
        } else {
            diff["gaps"].push_back(library.config.library + ": its spec does not have " + config.with_product(missing));
        }
    }
    return diff;
}

/// Returns one table cell for each library, in order. A cell holds the library's page if its spec has both releases.
spec::Json cells(const Libraries& libraries, const spec::Json& pages) {
    spec::Json list = spec::Json::array();
    for (const auto& library : libraries) {
        const auto page =
            std::find_if(pages.begin(), pages.end(), [&](const auto& each) { return each["library"] == library.config.library; });
        list.push_back({{"page", page != pages.end() ? *page : spec::Json(false)}});
    }
    return list;
}

}  // namespace

std::vector<std::string> all_releases(const Libraries& libraries) {
    std::set<std::string, spec::EarlierRelease> releases;
    for (const auto& library : libraries) releases.insert(library.facts.releases.begin(), library.facts.releases.end());
    return {releases.begin(), releases.end()};
}

std::vector<Libraries> by_numbering(const Libraries& libraries) {
    std::vector<Libraries> groups(1);
    for (const auto& library : libraries) {
        if (library.config.is_numbered_by_cuda()) groups.front().push_back(library);
    }
    if (groups.front().empty()) groups.clear();
    for (const auto& library : libraries) {
        if (!library.config.is_numbered_by_cuda()) groups.push_back({library});
    }
    return groups;
}

spec::Json compare_releases(const Libraries& libraries, const std::string& before, const std::string& after) {
    Snapshots snapshots;
    spec::Json diff = compare_releases(libraries, before, after, snapshots);
    if (diff["libraries"].empty()) {
        const spec::LibraryConfig& config = libraries.front().config;
        throw InputError("no spec has both " + config.with_product(before) + " and " + config.with_product(after) +
                         ". The specs have the releases " + join_strings(all_releases(libraries)) + ".");
    }
    return diff;
}

std::string render(const spec::Json& diff, Format format, const emit::Templates& templates) {
    if (format == Format::json) return spec::to_text(diff);
    return render_page(page(diff), format == Format::markdown ? "changes.md" : "changes.txt", templates);
}

emit::Outputs pages(const Libraries& libraries, const emit::Templates& templates) {
    emit::Outputs outputs;
    const auto add = [&](const std::string& name, const std::string& text) {
        outputs.emplace(std::string(pages_folder) + "/" + name, emit::with_banner(name, text));
    };
    spec::Json list{{"titles", spec::Json::array()}, {"pages", spec::Json::array()}, {"others", spec::Json::array()}};
    for (const auto& group : by_numbering(libraries)) {
        const spec::LibraryConfig& config = group.front().config;
        const std::string folder = config.is_numbered_by_cuda() ? "" : config.library + "/";
        const auto releases = all_releases(group);
        spec::Json pages = spec::Json::array();
        Snapshots snapshots;
        for (std::size_t index = releases.size() - 1; index > 0; --index) {
            spec::Json data = page(compare_releases(group, releases[index - 1], releases[index], snapshots));
            data["file"] = folder + releases[index - 1] + "-" + releases[index] + ".md";
            data["cells"] = cells(group, data["libraries"]);
            add(data["file"], render_page(data, "changes.md", templates));
            pages.push_back(std::move(data));
        }
        if (config.is_numbered_by_cuda()) {
            for (const auto& library : group) list["titles"].push_back(library.config.title);
            list["pages"] = std::move(pages);
        } else {
            list["others"].push_back({{"title", config.title}, {"library", config.library}, {"steps", std::move(pages)}});
        }
    }
    add("README.md", render_page(list, "releases.md", templates));
    return outputs;
}

}  // namespace cubind::gen::diff
