// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emit/file_batch.hpp"
#include "emit/outputs.hpp"

namespace cubind::gen::emit {

/// A file that differs from the output of emit.
struct Difference {
    std::string path;
    std::string reason;
};

/// Compares `outputs` with the files in `folder`, for the given libraries. Changes nothing.
std::vector<Difference> compare(const std::filesystem::path& folder, const Outputs& outputs,
                                const std::vector<std::string>& libraries);

/// Stages each changed file of `outputs`, and the removal of generated files of these libraries that are not among them. Returns
/// the number of files that will change. Throws InputError if a file cannot be written.
std::size_t stage(const std::filesystem::path& folder, const Outputs& outputs, const std::vector<std::string>& libraries,
                  FileBatch& batch);

}  // namespace cubind::gen::emit
