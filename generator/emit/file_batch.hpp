// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::gen::emit {

/// Files that change together. add() writes each file completely next to its destination, and commit() renames all of them, so
/// that no reader sees a partial file. If a file cannot be written, no destination changes.
class FileBatch {
public:
    FileBatch() = default;
    FileBatch(const FileBatch&) = delete;
    FileBatch& operator=(const FileBatch&) = delete;
    /// Removes staged files that were not committed.
    ~FileBatch();

    /// Stages `text` for `file`, and removes what a process that was killed has staged for it. Throws InputError with the file
    /// and the system's reason.
    void add(const std::filesystem::path& file, const std::string& text);
    /// Removes the file in commit().
    void remove(const std::filesystem::path& file) { removed_.push_back(file); }
    void commit();

private:
    struct Staged {
        std::filesystem::path file;
        std::filesystem::path beside;
    };
    std::vector<Staged> staged_;
    std::vector<std::filesystem::path> removed_;
};

}  // namespace cubind::gen::emit
