// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::gen::emit {

/// Files that change together: each is written whole beside its place first, and only when all are there do they take their places, so
/// that nobody sees a part of one, and what cannot be written leaves all as they were.
class FileBatch {
public:
    FileBatch() = default;
    FileBatch(const FileBatch&) = delete;
    FileBatch& operator=(const FileBatch&) = delete;
    /// Without commit() nothing stays.
    ~FileBatch();

    /// Throws InputError naming the file and the system's reason.
    void add(const std::filesystem::path& file, const std::string& text);
    /// The file goes when the others take their places.
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
