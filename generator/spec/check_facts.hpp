// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"

namespace cubind::gen::spec {

/// Checks that the lifetimes of all entries are consistent with the releases and with each other. Throws InputError with
/// `file`, the entry and the contradiction.
void check_facts(const Facts& facts, const std::string& file);

}  // namespace cubind::gen::spec
