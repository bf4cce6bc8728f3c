// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::gen::model {

/// Reads the three files of one library and runs every pass. What nothing decides becomes one of the model's questions.
Model build(const std::filesystem::path& specs, const std::string& library);

/// The same with these facts instead of those of api.json.
Model build(const std::filesystem::path& specs, const std::string& library, spec::Facts facts);

/// Names of the libraries that have a folder in `specs`, sorted.
std::vector<std::string> libraries(const std::filesystem::path& specs);

}  // namespace cubind::gen::model
