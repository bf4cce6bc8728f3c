// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"

namespace cubind::gen::spec {

/// Throws InputError naming `file`, the entry and the contradiction unless the lives of all entries agree with the releases that were
/// read and with each other.
void check_facts(const Facts& facts, const std::string& file);

}  // namespace cubind::gen::spec
