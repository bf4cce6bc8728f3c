// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"

#include <filesystem>

namespace cubind::gen::spec {

/// Reads and checks one api.json. Throws InputError naming file, entry and key.
Facts read_facts(const std::filesystem::path& file);

/// The text of an api.json: the same facts always give the same bytes.
std::string facts_text(Facts facts);

}  // namespace cubind::gen::spec
