// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

/// The families of instructions whose handlers are compiled once for each instruction set of the processor.
namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

Forms atomic_forms();
Forms bits_forms();
Forms carry_forms();
Forms comparison_forms();
Forms conversion_forms();
Forms division_forms();
Forms float_comparison_forms();
Forms float_forms();
Forms float_selection_forms();
Forms half_forms();
Forms integer_forms();
Forms logic_forms();
Forms memory_forms();
Forms move_forms();
Forms multiply_forms();
Forms selection_forms();
Forms shift_forms();
Forms shuffle_forms();
Forms special_function_forms();
Forms special_function_half_forms();
Forms strong_memory_forms();

/// Returns all of them.
std::span<const Forms> vector_families();

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
