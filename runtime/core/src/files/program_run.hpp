// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <optional>
#include <string>
#include <vector>

/// Runs programs of the operating system.
namespace CUBIND_NAMESPACE::detail {

/// Returns the path of a program in the first folder of PATH that has it. Ignores relative folders, because the working directory
/// is never searched, and PATH in setuid programs.
[[nodiscard]] std::optional<std::string> find_on_path(const std::string& name);

/// A folder for temporary files, which only this user can access. The destructor removes it with its files.
class TemporaryFolder {
public:
    /// Throws std::system_error if the folder cannot be created.
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    /// Returns the path of a file in the folder.
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

/// Runs a program with these arguments, without a shell, and waits for it. It reads nothing, and
/// receives only the variables of the environment that programs commonly need. Its output and its errors go to the
/// files. Returns an empty text if it succeeds, and otherwise how it ended, such as "ended with status 1". Throws
/// std::system_error if it cannot be started.
[[nodiscard]] std::string run_program(const std::string& program, std::vector<std::string> arguments, const std::string& output,
                                      const std::string& errors);

}  // namespace CUBIND_NAMESPACE::detail
