// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/uses.hpp"

#include <algorithm>
#include <set>

#include "error.hpp"
#include "join_strings.hpp"
#include "model/build.hpp"
#include "spec/facts_file.hpp"

namespace cubind::gen::model {
namespace {

namespace fs = std::filesystem;

/// Reads the configuration of the libraries that other libraries name.
class Reader {
public:
    explicit Reader(const fs::path& specs) : specs_(specs) {}

    spec::LibraryConfig read(const std::string& library, const spec::LibraryConfig& user) const {
        const fs::path file = specs_ / library / "library.json";
        if (!fs::exists(file)) {
            throw InputError(place_of(user) + " names " + library + ", which is no library. The libraries are " +
                             join_strings(libraries(specs_)) + "; correct the name");
        }
        return spec::read_library(file);
    }

    /// Throws InputError if a library uses one of those in `path`, which lead from the first library to it.
    void check_circles(const spec::LibraryConfig& config, std::vector<std::string> path) const {
        const bool is_circle = std::find(path.begin(), path.end(), config.library) != path.end();
        path.push_back(config.library);
        if (is_circle) {
            std::string text;
            for (const auto& each : path) text += (text.empty() ? "" : " uses ") + each;
            throw InputError((specs_ / path.front() / "library.json").string() + ": uses: " + text +
                             "; libraries must not use each other, so remove one of these names");
        }
        for (const auto& each : config.uses) check_circles(read(each, config), path);
    }

private:
    std::string place_of(const spec::LibraryConfig& config) const {
        return (specs_ / config.library / "library.json").string() + ": uses";
    }

    const fs::path& specs_;
};

}  // namespace

FactsOf facts_on_disk(const fs::path& specs) {
    return [specs](const spec::LibraryConfig& config) {
        const fs::path file = specs / config.library / "api.json";
        if (!fs::exists(file)) {
            throw InputError(file.string() + ": the file does not exist; run cubind-gen extract " + config.library +
                             " --include DIR");
        }
        return spec::read_facts(file, config);
    };
}

std::vector<spec::LibraryConfig> used_libraries(const fs::path& specs, const spec::LibraryConfig& config) {
    const Reader reader(specs);
    reader.check_circles(config, {});
    std::set<std::string> seen;
    std::vector<spec::LibraryConfig> used;
    const auto add = [&](const spec::LibraryConfig& user) {
        for (const auto& each : user.uses) {
            if (seen.insert(each).second) used.push_back(reader.read(each, user));
        }
    };
    add(config);
    for (std::size_t index = 0; index < used.size(); ++index) add(spec::LibraryConfig(used[index]));
    return used;
}

std::vector<std::string> in_order_of_use(const fs::path& specs, const std::vector<std::string>& libraries) {
    std::vector<std::pair<std::size_t, std::string>> ordered;
    for (const auto& library : libraries) {
        // A library uses more libraries than each of those that it uses.
        ordered.emplace_back(used_libraries(specs, spec::read_library(specs / library / "library.json")).size(), library);
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (const auto& each : ordered) names.push_back(each.second);
    return names;
}

}  // namespace cubind::gen::model
