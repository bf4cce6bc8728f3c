// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "spec/facts.hpp"

namespace cubind::gen::extract {

/// Removes the twins of functions from the facts. A twin is a function whose name is `prefix` and the name of another function.
/// Libraries export twins so that tools can define the other function and call the twin. Throws InputError if a twin has another
/// signature than its function, or if there are no twins.
void remove_twins(spec::Facts& facts, const std::string& prefix);

}  // namespace cubind::gen::extract
