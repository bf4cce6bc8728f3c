// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/output_tree.hpp"

#include "emit/banner.hpp"

#include <unistd.h>

#include <fstream>
#include <optional>

namespace cubind::gen::emit {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> text_of(const fs::path& file) {
    if (!fs::is_regular_file(file)) return std::nullopt;
    return spec::read_text(file);
}

/// Generated files of one library that no template writes any more.
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
            found.push_back({path, generated ? "is left over: no template writes it"
                                             : "is not generated: move it elsewhere, emit removes only its own"});
        }
    }
    return found;
}

std::size_t write(const fs::path& folder, const Outputs& outputs, const std::vector<std::string>& libraries) {
    std::size_t changed = 0;
    for (const auto& [path, text] : outputs) {
        if (text_of(folder / path) == text) continue;
        write_file(folder / path, text);
        ++changed;
    }
    for (const auto& library : libraries) {
        for (const auto& path : leftovers(folder, library, outputs)) {
            // Only what emit itself wrote is emit's to remove.
            if (check_banner(spec::read_text(folder / path)) == Banner::absent) continue;
            fs::remove(folder / path);
            ++changed;
        }
    }
    return changed;
}

void write_file(const fs::path& file, const std::string& text) {
    std::error_code error;
    const auto fail = [&](const std::string& what) {
        throw InputError(file.string() + ": " + what + " (" + error.message() + "); nothing of it was changed, check its folder's " +
                         "permissions and free space, or choose another with --output or --specs");
    };
    if (file.has_parent_path()) {
        fs::create_directories(file.parent_path(), error);
        if (error) fail("its folder cannot be made");
    }
    fs::path beside = file;
    beside += ".new" + std::to_string(::getpid());
    errno = 0;
    std::ofstream stream(beside, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) {
        error = std::error_code(errno, std::generic_category());
        std::error_code ignored;
        fs::remove(beside, ignored);
        fail("cannot be written");
    }
    fs::rename(beside, file, error);
    if (error) {
        std::error_code ignored;
        fs::remove(beside, ignored);
        fail("cannot be replaced");
    }
}

}  // namespace cubind::gen::emit
