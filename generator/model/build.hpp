// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::gen::model {

/// One pointer parameter that nothing decides.
struct Undecided {
    std::string function;
    std::string parameter;
    std::string type;
};

/// Reads the three files of one library and runs every pass. Undecided pointers stay so; see undecided().
Model build(const std::filesystem::path& specs, const std::string& library);

std::vector<Undecided> undecided(const Model& model);

/// Throws InputError that lists every undecided pointer with a line to put into overrides.json.
void require_decided(const Model& model);

/// Names of the libraries that have a folder in `specs`, sorted.
std::vector<std::string> libraries(const std::filesystem::path& specs);

}  // namespace cubind::gen::model
