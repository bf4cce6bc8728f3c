// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "kernels/read_kernel_file.hpp"

namespace cubind::gen::kernels {

/// Returns the text of a .cu file. Throws InputError if it is no file of UTF-8 text, or if its name has control characters.
std::string read_source(const std::filesystem::path& file);

/// Throws InputError if a text that was read from the file `name` is no UTF-8.
void check_source_text(const std::string& text, const std::string& name);

/// Throws InputError if the text of an option could change what clang reads in another way than the option says.
void check_options(const ReadOptions& options, const std::filesystem::path& file);

}  // namespace cubind::gen::kernels
