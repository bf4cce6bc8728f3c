// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "spec/facts.hpp"
#include "spec/library.hpp"

/// Libraries whose types another library uses: the key "uses" of library.json.
namespace cubind::gen::model {

/// Returns the facts of a library of the specs.
using FactsOf = std::function<spec::Facts(const spec::LibraryConfig&)>;

/// Returns a function that reads the api.json of each library.
FactsOf facts_on_disk(const std::filesystem::path& specs);

/// Returns the libraries that a library uses, directly or indirectly: first those that its library.json names, in their order,
/// then those that these libraries name, and so on. Throws InputError if a name is unknown or if libraries use each other.
std::vector<spec::LibraryConfig> used_libraries(const std::filesystem::path& specs, const spec::LibraryConfig& config);

/// Returns the names so that each follows the libraries that it uses.
std::vector<std::string> in_order_of_use(const std::filesystem::path& specs, const std::vector<std::string>& libraries);

}  // namespace cubind::gen::model
