// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "spec/facts.hpp"
#include "spec/library.hpp"

namespace cubind::gen::spec {

/// Reads and checks one api.json. Throws InputError with file, entry and key.
Facts read_facts(const std::filesystem::path& file);

/// Reads the api.json of a library. Also throws InputError if it is of another library, or if its releases are not those that
/// library.json describes: releases of CUDA, versions of the library, or both.
Facts read_facts(const std::filesystem::path& file, const LibraryConfig& config);

/// Throws InputError with `place` if the facts are not numbered as library.json describes.
void check_numbering(const Facts& facts, const LibraryConfig& config, const std::string& place);

/// Returns the text of an api.json. Equal facts result in equal bytes.
std::string facts_text(Facts facts);

}  // namespace cubind::gen::spec
