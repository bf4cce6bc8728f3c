// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "spec/facts.hpp"

namespace cubind::gen::spec {

/// Removes the types that the facts of a used library have, so that both libraries refer to one type.
void remove_shared_types(Facts& facts, const Facts& used);

/// Throws InputError if the facts of one release, just read from headers, declare a type otherwise than the facts of a used
/// library do in that release, or in their newest release if they lack that one.
void check_shared_types(const Facts& fresh, const Facts& used);

}  // namespace cubind::gen::spec
