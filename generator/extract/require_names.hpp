// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"

namespace cubind::gen::extract {

/// Throws InputError if an entry has a type without a name. Generated code cannot refer to such a type, and libclang spells it
/// with a path of this machine.
void require_names(const spec::Facts& facts);

}  // namespace cubind::gen::extract
