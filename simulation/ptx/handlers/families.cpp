// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/families.hpp"

#include <vector>

#include "ptx/handlers/control/cluster.hpp"
#include "ptx/handlers/control/control.hpp"
#include "ptx/handlers/float/convert.hpp"
#include "ptx/handlers/integer/video.hpp"
#include "ptx/handlers/memory/address_space.hpp"
#include "ptx/handlers/memory/fence.hpp"
#include "ptx/handlers/memory/stack.hpp"
#include "ptx/handlers/texture/texture.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace baseline {
std::span<const Forms> vector_families();
}
namespace avx2 {
std::span<const Forms> vector_families();
}

namespace {

std::span<const Forms> families_of_this_processor() {
#ifdef CUBIND_SIM_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return avx2::vector_families();
#endif
    return baseline::vector_families();
}

}  // namespace

std::span<const Forms> families() {
    // Never destroyed, because streams may run while the process ends.
    static const auto& all = *new std::vector<Forms>([] {
        const std::span<const Forms> vector_families = families_of_this_processor();
        std::vector<Forms> result(vector_families.begin(), vector_families.end());
        result.push_back(address_space_forms());
        result.push_back(cluster_forms());
        result.push_back(control_forms());
        result.push_back(barrier_forms());
        result.push_back(packed_conversion_forms());
        result.push_back(fence_forms());
        result.push_back(reduction_forms());
        result.push_back(stack_forms());
        result.push_back(surface_forms());
        result.push_back(texture_forms());
        result.push_back(texture_query_forms());
        result.push_back(video_forms());
        result.push_back(vote_forms());
        return result;
    }());
    return all;
}

const FormTable& form_table() {
    static const auto& table = *new FormTable(families());
    return table;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
