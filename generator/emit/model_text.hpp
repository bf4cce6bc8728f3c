// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/templates.hpp"
#include "model/model.hpp"

#include <string>

namespace cubind::gen::emit {

/// The decided model as JSON for other tools: what templates get, less what only they need, and each function with its C++ signature
/// and the names that programmers write for it.
std::string model_text(const model::Model& model, const Templates& templates);

}  // namespace cubind::gen::emit
