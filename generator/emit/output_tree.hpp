// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/file_batch.hpp"
#include "emit/outputs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::gen::emit {

/// One file that is not as emit would write it.
struct Difference {
    std::string path;
    std::string reason;
};

/// Compares `outputs` with what stands in `folder`, for the libraries named. Changes nothing.
std::vector<Difference> compare(const std::filesystem::path& folder, const Outputs& outputs,
                                const std::vector<std::string>& libraries);

/// Stages what makes the folders of these libraries hold exactly `outputs`: each changed file, and the removal of generated files that no
/// template writes any more. Returns the number of files that will change. Throws InputError when a file cannot be written.
std::size_t stage(const std::filesystem::path& folder, const Outputs& outputs, const std::vector<std::string>& libraries, FileBatch& batch);

}  // namespace cubind::gen::emit
