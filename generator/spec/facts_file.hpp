// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "spec/facts.hpp"

namespace cubind::gen::spec {

/// Reads and checks one api.json. Throws InputError with file, entry and key.
Facts read_facts(const std::filesystem::path& file);

/// Returns the text of an api.json. Equal facts result in equal bytes.
std::string facts_text(Facts facts);

}  // namespace cubind::gen::spec
