// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/file_batch.hpp"

#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "error.hpp"
#include "system.hpp"

namespace cubind::gen::emit {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& file, const std::string& what, const std::error_code& error) {
    throw InputError(file.string() + ": " + what + " (" + error.message() + "); the file is unchanged; check the permissions " +
                     "and the free space of its folder, or choose another folder with --output, --specs or --docs");
}

/// Between the name of a file and the number of the process that replaces it.
constexpr std::string_view mark = ".new";

/// Removes what processes that were killed have staged for the file. The caller has locked the folder against others.
void remove_abandoned(const fs::path& file) {
    const std::string prefix = file.filename().string().append(mark);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(file.has_parent_path() ? file.parent_path() : ".", ignored)) {
        const std::string name = entry.path().filename().string();
        const bool is_staged = name.starts_with(prefix) && name.size() > prefix.size() &&
                               name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
        if (is_staged) fs::remove(entry.path(), ignored);
    }
}

}  // namespace

FileBatch::~FileBatch() {
    std::error_code ignored;
    for (const auto& each : staged_) fs::remove(each.beside, ignored);
}

void FileBatch::add(const fs::path& file, const std::string& text) {
    std::error_code error;
    if (file.has_parent_path()) {
        fs::create_directories(file.parent_path(), error);
        if (error) fail(file, "its folder cannot be created", error);
    }
    if (fs::is_directory(file)) fail(file, "cannot be replaced", std::make_error_code(std::errc::is_a_directory));
    remove_abandoned(file);
    fs::path beside = file;
    beside += mark;
    beside += std::to_string(process_id());
    staged_.push_back({file, beside});
    errno = 0;
    std::ofstream stream(beside, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) fail(file, "cannot be written", std::error_code(errno, std::generic_category()));
}

void FileBatch::commit() {
    std::error_code error;
    for (const auto& each : staged_) {
        fs::rename(each.beside, each.file, error);
        if (error) fail(each.file, "cannot be replaced", error);
    }
    for (const auto& file : removed_) fs::remove(file, error);
    staged_.clear();
    removed_.clear();
}

}  // namespace cubind::gen::emit
