// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/vector_add before main() and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("_Z10vector_addIfEvPKT_S2_PS0_m",
                       [](const sim::Launch& launch, const float* a, const float* b, float* c, std::size_t n) {
                           const auto in_a = launch.memory(a, n);
                           const auto in_b = launch.memory(b, n);
                           const auto out = launch.memory(c, n);
                           for (std::size_t i = 0; i < n; ++i) out[i] = in_a[i] + in_b[i];
                       });
    return true;
}();

}  // namespace
