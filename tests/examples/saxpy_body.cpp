// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example 02_saxpy before main() and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("saxpy",
                       [](const sim::Launch& launch, float a, const float* x, const float* y, float* out, unsigned long long n) {
                           const auto in_x = launch.memory(x, n);
                           const auto in_y = launch.memory(y, n);
                           const auto result = launch.memory(out, n);
                           for (std::size_t i = 0; i < n; ++i) result[i] = a * in_x[i] + in_y[i];
                       });
    return true;
}();

}  // namespace
