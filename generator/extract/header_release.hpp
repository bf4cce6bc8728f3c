// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/library.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::gen::extract {

/// "13.4", from the macro that a header defines as 1000 * major + 10 * minor. Throws InputError where it does not.
std::string release_of(const std::filesystem::path& header, const std::string& macro);

/// The release that the folders' headers state, whichever library's they are. Throws InputError naming both releases and where they are
/// stated if there are two, and naming the headers that state one if there is none.
std::string find_release(const std::vector<spec::LibraryConfig>& configs, const std::vector<std::filesystem::path>& includes);

}  // namespace cubind::gen::extract
