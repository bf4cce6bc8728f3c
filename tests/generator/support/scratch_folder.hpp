// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace cubind::testing {

/// A temporary folder that exists until the object is destroyed.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path below(const std::string& relative) const { return path_ / relative; }
    /// Writes a file below the folder, creates its parent folders, and returns its path.
    std::filesystem::path write(const std::string& relative, const std::string& text) const;
    std::string read(const std::string& relative) const;
    /// Replaces the first `before` in the file by `now`. Fails the test if there is none.
    void replace(const std::string& relative, const std::string& before, const std::string& now) const;
    /// Returns every file below the folder: relative path to text.
    std::map<std::string, std::string> files() const;

private:
    std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, const std::string& text);

/// Returns the message of the InputError that `action` throws. Fails the test and returns "" if it throws none.
std::string input_error_of(const std::function<void()>& action);

/// Expects `text` to contain `part`.
void expect_contains(const std::string& text, const std::string& part);

}  // namespace cubind::testing
