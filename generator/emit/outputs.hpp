// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "emit/templates.hpp"
#include "model/model.hpp"

namespace cubind::gen::emit {

/// The texts of files by their paths relative to the output folder.
using Outputs = std::map<std::string, std::string>;

/// Renders every generated file of one library.
Outputs render_library(const model::Model& model, const Templates& templates);

}  // namespace cubind::gen::emit
