// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/versioned_folders.hpp"

#include <algorithm>
#include <utility>

#include "platform/exhausted.hpp"
#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Returns the numbers of a version such as 13.10; empty if the text is none.
std::vector<unsigned long> numbers_of(std::string_view text) {
    std::vector<unsigned long> numbers;
    bool is_number = false;
    for (const char c : text) {
        if ('0' <= c && c <= '9') {
            if (!is_number) numbers.push_back(0);
            numbers.back() = 10 * numbers.back() + static_cast<unsigned long>(c - '0');
            is_number = true;
        } else if (c == '.' && is_number) {
            is_number = false;
        } else {
            return {};
        }
    }
    return is_number ? numbers : std::vector<unsigned long>();
}

}  // namespace

std::vector<std::string> versioned_folders(const std::string& folder, std::string_view stem) {
    std::vector<std::pair<std::vector<unsigned long>, std::string>> found;
    std::vector<std::string> names;
    throw_if_exhausted(list_folder(folder.c_str(), names));
    for (const std::string& name : names) {
        if (!name.starts_with(stem)) continue;
        std::vector<unsigned long> version = numbers_of(std::string_view(name).substr(stem.size()));
        if (!version.empty()) found.emplace_back(std::move(version), folder + "/" + name);
    }
    std::sort(found.begin(), found.end(), [](const auto& left, const auto& right) { return left > right; });
    std::vector<std::string> paths;
    for (auto& each : found) paths.push_back(std::move(each.second));
    return paths;
}

}  // namespace CUBIND_NAMESPACE::detail
