// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

std::span<const Forms> vector_families() {
    static const Forms all[] = {comparison_forms(), float_forms(), integer_forms(),
                                memory_forms(),     move_forms(),  shuffle_forms()};
    return all;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
