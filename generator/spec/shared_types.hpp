// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "spec/facts.hpp"

namespace cubind::gen::spec {

/// Removes from `facts` the types that `used`, the facts of a used library, also have, so that both libraries refer to one type.
void remove_shared_types(Facts& facts, const Facts& used);

/// Throws InputError if `fresh`, the facts of one release, declares a type differently from the used library's facts of the same
/// release. If `used` lacks that release, the type must be equal in one of its releases.
void check_shared_types(const Facts& fresh, const Facts& used);

}  // namespace cubind::gen::spec
