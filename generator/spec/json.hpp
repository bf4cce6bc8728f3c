// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "error.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace cubind::gen::spec {

/// For what is written: keys keep their order.
using Json = nlohmann::ordered_json;
/// For what is read: twice as fast.
using ParsedJson = nlohmann::json;

/// An empty object with room for `entries`: one that grows copies every key that it has.
Json object_for(std::size_t entries);

/// One file's text. Throws InputError naming the file.
std::string read_text(const std::filesystem::path& file);

/// Parses `file`, with errors as "file:line:column: ...". An empty file is an error too.
ParsedJson read_json(const std::filesystem::path& file);

/// JSON text for people: an array or object that fits into a line stands on one, any other has an entry a line.
std::string to_text(const Json& json);

}  // namespace cubind::gen::spec
