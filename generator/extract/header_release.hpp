// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/library.hpp"

namespace cubind::gen::extract {

/// Returns the release, such as "13.4", from the macro that a header defines as 1000 * major + 10 * minor. Throws InputError if
/// the header does not define it.
std::string release_of(const std::filesystem::path& header, const std::string& macro);

/// Returns the release that the headers in the folders state. Throws InputError with both releases and their headers if they
/// differ, and with the names of the headers that would state one if none is found.
std::string find_release(const std::vector<spec::LibraryConfig>& configs, const std::vector<std::filesystem::path>& includes);

}  // namespace cubind::gen::extract
