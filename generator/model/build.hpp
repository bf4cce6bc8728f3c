// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/uses.hpp"

namespace cubind::gen::model {

/// Reads the three files of one library and runs every pass. Open questions are added to the model.
Model build(const std::filesystem::path& specs, const std::string& library);

/// Builds the model with the given facts instead of those in api.json. `facts_of` returns the facts of the libraries that the
/// library uses; null for those in their api.json.
Model build(const std::filesystem::path& specs, const std::string& library, spec::Facts facts, const FactsOf& facts_of = nullptr);

/// Returns the sorted names of the libraries that have a folder in `specs`.
std::vector<std::string> libraries(const std::filesystem::path& specs);

}  // namespace cubind::gen::model
