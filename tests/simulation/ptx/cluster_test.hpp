// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control_test.hpp"

/// Kernels whose blocks form clusters.
namespace cubind::testing {

/// Begins a body: %a is the rank of the block, %b the number of blocks of the cluster, %e the address of the thread's own word
/// in the shared memory `memory`.
inline std::string cluster_body(const std::string& rest) {
    return "mov.u32 %a, %cluster_ctarank;\nmov.u32 %b, %cluster_nctarank;\nmov.u32 %e, %tid.x;\nshl.b32 %e, %e, 2;\n"
           "mov.u32 %f, memory;\nadd.u32 %e, %e, %f;\n" +
           rest;
}
inline const char* const cluster_memory = ".shared .align 16 .b8 memory[4096];\n";
inline const char* const synchronize = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";

/// Properties of a launch with clusters of `size` blocks.
inline ControlLaunch cluster_launch(unsigned blocks, unsigned threads, unsigned size) {
    ControlLaunch launch{.blocks = blocks, .threads = threads};
    launch.prototype.cluster = {size, 1, 1};
    launch.prototype.is_explicit_cluster = true;
    return launch;
}

}  // namespace cubind::testing
