// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

/// Conversions that are exact for all types and modifiers, but not fast.
namespace CUBIND_NAMESPACE::sim::ptx {

/// Selects a handler for a conversion of one number.
Handler select_conversion(Choice& choice);
/// Conversions of vectors of numbers with fewer than 32 bits.
Forms packed_conversion_forms();

}  // namespace CUBIND_NAMESPACE::sim::ptx
