// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace cubind::fuzz {

/// A file in a scratch folder whose contents are in memory, for readers that are given a path. The folder is called toy, as the
/// library that the corpora are about.
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

/// Reads `data` as the file `name` with `read(path)`. Whatever is wrong with it must be said in an InputError.
void expect_input_error_at_most(const MemoryFile& file, const std::uint8_t* data, std::size_t size,
                                void (*read)(const std::filesystem::path& path));

}  // namespace cubind::fuzz
