// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/header_set.hpp"

#include "error.hpp"
#include "join_strings.hpp"
#include "spec/json.hpp"

namespace cubind::gen::extract {
namespace {

std::filesystem::path find_header(const std::string& name, const std::vector<std::filesystem::path>& includes) {
    std::filesystem::path found;
    for (const auto& folder : includes) {
        const std::filesystem::path file = folder / name;
        if (!std::filesystem::exists(file)) continue;  // read_text() rejects what is no regular file
        if (found.empty()) found = file;
        if (spec::read_text(file) == spec::read_text(found)) continue;
        throw InputError("the include folders hold two different headers " + name + ": " + found.string() + " and " +
                         file.string() + "; pass folders of one release only");
    }
    if (!found.empty()) return found;
    throw InputError(name + ": not found in " +
                     (includes.empty() ? "any folder, because no folder was given" : join_strings(includes)) +
                     "; pass the folder that holds it to --include");
}

}  // namespace

HeaderText::HeaderText(std::string text) : text_(std::move(text)) {
    line_starts_.push_back(0);
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
        line_starts_.push_back(at + 1);
    }
}

std::string_view HeaderText::line(unsigned number) const {
    if (number == 0 || number > line_starts_.size()) return {};
    const std::size_t begin = line_starts_[number - 1];
    const std::size_t end = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
    return std::string_view(text_).substr(begin, end - begin);
}

HeaderSet::HeaderSet(const spec::LibraryConfig& config, std::vector<std::filesystem::path> includes, std::string release)
    : includes_(std::move(includes)), unbound_(config.versions_headers), release_(std::move(release)) {
    for (const auto& folder : includes_) {
        if (!std::filesystem::is_directory(folder)) {
            throw InputError(folder.string() + " is not a folder; pass a folder with CUDA headers to --include");
        }
    }
    const std::vector<std::string> bound = config.bound_headers();
    for (const auto* list : {&bound, &config.type_headers}) {
        for (const auto& name : *list) {
            if (!config.has_header(name, release_)) continue;
            names_.push_back(name);
            texts_.emplace(name, HeaderText(spec::read_text(find_header(name, includes_))));
        }
    }
    for (const auto& [name, lines] : config.foreign_headers()) {
        unbound_.push_back(name);
        replacements_[(includes_.front() / name).string()] = join_strings(lines, "\n") + "\n";
    }
}

std::string HeaderSet::name_of(const std::string& path) const {
    std::string longest;
    const auto match = [&](const std::string& name) {
        const bool is_same = path == name || path.ends_with("/" + name);
        if (is_same && name.size() > longest.size()) longest = name;
    };
    for (const auto& name : names_) match(name);
    for (const auto& name : unbound_) match(name);
    return longest.empty() ? path.substr(path.find_last_of('/') + 1) : longest;
}

const HeaderText* HeaderSet::find(const std::string& name) const {
    const auto entry = texts_.find(name);
    return entry != texts_.end() ? &entry->second : nullptr;
}

}  // namespace cubind::gen::extract
