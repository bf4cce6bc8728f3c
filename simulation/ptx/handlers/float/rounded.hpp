// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"
#include "ptx/handlers/float/exact.hpp"

/// Arithmetic of float and double with all roundings, and of vectors of two floats.
namespace CUBIND_NAMESPACE::sim::ptx {

enum class Arithmetic : std::uint8_t { add, subtract, multiply, multiply_add, divide, square_root, reciprocal };

/// Returns the rounding of an instruction: .rn, .rz, .rm, .rp, .rna, or one to whole numbers: .rni, .rzi, .rmi, .rpi.
Rounding rounding_of(const Modifiers& modifiers) noexcept;

/// Selects a handler that rounds exact results.
Handler select_rounded(Choice& choice, Arithmetic operation);

}  // namespace CUBIND_NAMESPACE::sim::ptx
