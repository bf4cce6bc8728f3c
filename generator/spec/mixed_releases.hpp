// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "spec/facts.hpp"
#include "spec/library.hpp"

namespace cubind::gen::spec {

/// Throws InputError if the headers of `fresh` are of several releases: if `known` has the release of `fresh`, and one header now
/// declares what it declares in another known release instead; or if the library's own version is that of another release.
/// `includes` are the folders of the headers, for the message.
void check_mixed_releases(const Facts& known, const Facts& fresh, const LibraryConfig& config,
                          const std::vector<std::filesystem::path>& includes);

}  // namespace cubind::gen::spec
