// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

#include "error.hpp"

namespace cubind::gen::spec {

/// For writing: keys stay in insertion order.
using Json = nlohmann::ordered_json;
/// For reading: twice as fast as Json.
using ParsedJson = nlohmann::json;

/// Returns an empty object with capacity for `entries`, because an object that grows copies all its keys.
Json object_for(std::size_t entries);

/// Returns the text of a file. Throws InputError with the file's name.
std::string read_text(const std::filesystem::path& file);

/// Parses `file`. Throws InputError as "file:line:column: ...", also for an empty file.
ParsedJson read_json(const std::filesystem::path& file);

/// Returns formatted JSON text. An array or object that fits on one line is written on one; any other has one line per entry.
std::string to_text(const Json& json);

}  // namespace cubind::gen::spec
