// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace cubind::fuzz {

/// A file in a temporary folder whose contents are in memory, for readers that take a path. The folder is named "toy", like the
/// library of the corpora.
class MemoryFile {
public:
    explicit MemoryFile(const std::string& name);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    void write(const void* data, std::size_t size) const;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path root_;
    std::filesystem::path path_;
    int descriptor_;
};

/// Writes `data` to `file` and calls `read` with its path. The only exception that `read` may throw is an InputError with a
/// message.
void allow_only_input_errors(const MemoryFile& file, const std::uint8_t* data, std::size_t size,
                             void (*read)(const std::filesystem::path& path));

}  // namespace cubind::fuzz
