// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emit/templates.hpp"
#include "model/model.hpp"

namespace cubind::gen::emit {

/// Returns the decided model as JSON for other tools: the data of templates without the parts that only templates need, and each
/// function with its C++ signature and its public names.
std::string model_text(const model::Model& model, const Templates& templates);

}  // namespace cubind::gen::emit
