// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/output_tree.hpp"

#include <optional>

#include "emit/banner.hpp"

namespace cubind::gen::emit {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> text_of(const fs::path& file) {
    if (!fs::is_regular_file(file)) return std::nullopt;
    return spec::read_text(file);
}

/// Files in the folder of one library that are not among the outputs.
std::vector<std::string> leftovers(const fs::path& folder, const std::string& library, const Outputs& outputs) {
    std::vector<std::string> found;
    if (!fs::is_directory(folder / library)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(folder / library)) {
        if (!entry.is_regular_file()) continue;
        const std::string path = entry.path().lexically_relative(folder).generic_string();
        if (!outputs.contains(path)) found.push_back(path);
    }
    return found;
}

}  // namespace

std::vector<Difference> compare(const fs::path& folder, const Outputs& outputs, const std::vector<std::string>& libraries) {
    std::vector<Difference> found;
    for (const auto& [path, text] : outputs) {
        const auto present = text_of(folder / path);
        if (!present) {
            found.push_back({path, "is missing"});
        } else if (*present != text) {
            const bool edited = check_banner(*present) != Banner::intact;
            found.push_back({path, edited ? "was edited by hand" : "is stale: specs or templates have changed since"});
        }
    }
    for (const auto& library : libraries) {
        for (const auto& path : leftovers(folder, library, outputs)) {
            const bool generated = check_banner(spec::read_text(folder / path)) != Banner::absent;
            found.push_back(
                {path, generated ? "is left over: no template writes it"
                                 : "is not generated: move it elsewhere, because emit removes only files that it generated"});
        }
    }
    return found;
}

std::size_t stage(const fs::path& folder, const Outputs& outputs, const std::vector<std::string>& libraries, FileBatch& batch) {
    std::size_t changed = 0;
    // This loop precedes the staging of files, because staged files are in the same folders.
    for (const auto& library : libraries) {
        for (const auto& path : leftovers(folder, library, outputs)) {
            // Files without a banner were not written by emit and are not removed.
            if (check_banner(spec::read_text(folder / path)) == Banner::absent) continue;
            batch.remove(folder / path);
            ++changed;
        }
    }
    for (const auto& [path, text] : outputs) {
        if (text_of(folder / path) == text) continue;
        batch.add(folder / path, text);
        ++changed;
    }
    return changed;
}

}  // namespace cubind::gen::emit
