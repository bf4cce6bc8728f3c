// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

std::span<const Forms> vector_families() {
    static const Forms all[] = {
        atomic_forms(),
        bits_forms(),
        carry_forms(),
        comparison_forms(),
        conversion_forms(),
        division_forms(),
        float_comparison_forms(),
        float_forms(),
        float_selection_forms(),
        half_forms(),
        integer_forms(),
        logic_forms(),
        memory_forms(),
        move_forms(),
        multiply_forms(),
        selection_forms(),
        shift_forms(),
        shuffle_forms(),
        special_function_forms(),
        special_function_half_forms(),
        strong_memory_forms(),
    };
    return all;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
