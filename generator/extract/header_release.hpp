// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/library.hpp"

namespace cubind::gen::extract {

/// Returns the release, such as "13.4", from the macro that a header defines as 1000 * major + 10 * minor. Throws InputError if
/// the header does not define it.
std::string release_of(const std::filesystem::path& header, const std::string& macro);

/// Returns the release of CUDA that the headers in the folders state. The libraries must be numbered by releases of CUDA. Throws
/// InputError if two headers state different releases, or if no folder has one of the headers that state a release.
std::string find_release(const std::vector<spec::LibraryConfig>& configs, const std::vector<std::filesystem::path>& includes);

/// Returns the library's own version, such as "2.19.3", from the macros of its headers in the folders. Throws InputError if the
/// header is not found, if it does not define a macro, and if two folders hold headers of different versions.
std::string find_version(const spec::LibraryConfig& config, const std::vector<std::filesystem::path>& includes);

/// Returns the release of each library by its name: the release of CUDA, or the version of a library with versions of its own.
/// `others` are further libraries whose headers may state a release of CUDA. Throws InputError if they state another one.
std::map<std::string, std::string> find_releases(const std::vector<spec::LibraryConfig>& configs,
                                                 const std::vector<std::filesystem::path>& includes,
                                                 const std::vector<spec::LibraryConfig>& others = {});

}  // namespace cubind::gen::extract
