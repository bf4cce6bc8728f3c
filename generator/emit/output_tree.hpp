// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Makes the folders of these libraries hold exactly `outputs`: writes each changed file beside and renames it, then removes
/// generated files that no template writes any more. Returns the number of files changed. Throws InputError when a file
/// cannot be written, before any file was replaced by less than its whole text.
std::size_t write(const std::filesystem::path& folder, const Outputs& outputs, const std::vector<std::string>& libraries);

/// Writes one file beside its place and renames it, so that nobody ever sees a part of it.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace cubind::gen::emit
