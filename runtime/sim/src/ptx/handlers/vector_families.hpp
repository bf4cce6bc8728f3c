// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/code/form.hpp"

/// The families of instructions whose handlers are compiled once for each instruction set of the processor.
namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

Forms atomic_forms();
Forms comparison_forms();
Forms conversion_forms();
Forms float_comparison_forms();
Forms float_forms();
Forms float_selection_forms();
Forms half_forms();
Forms integer_forms();
Forms memory_forms();
Forms move_forms();
Forms strong_memory_forms();

/// Returns all of them.
std::span<const Forms> vector_families();

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
