// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/templates.hpp"
#include "model/model.hpp"

#include <map>
#include <string>

namespace cubind::gen::emit {

/// Path below the output folder to text.
using Outputs = std::map<std::string, std::string>;

/// Every generated file of one library: the list of which template renders what to where.
Outputs render_library(const model::Model& model, const Templates& templates);

}  // namespace cubind::gen::emit
