// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/thread_block_clusters before main() and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

#include <numeric>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("cluster_sums", [](const sim::Launch& launch, const unsigned* in, unsigned* sums, unsigned* shape) {
        const unsigned part = launch.cluster.x * launch.block.x;
        const unsigned clusters = launch.grid.x / launch.cluster.x;
        const auto numbers = launch.memory(in, std::size_t{clusters} * part);
        const auto out = launch.memory(sums, clusters);
        for (std::size_t i = 0; i < clusters; ++i) {
            const auto first = numbers.subspan(i * part, part);
            out[i] = std::accumulate(first.begin(), first.end(), 0u);
        }
        launch.memory(shape, 1)[0] = launch.cluster.x;
    });
    return true;
}();

}  // namespace
