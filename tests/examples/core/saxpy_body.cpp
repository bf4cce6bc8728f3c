// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/saxpy before main() and implements its kernels in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

template <class T>
void define_saxpy(const char* name) {
    sim::define_kernel(name, [](const sim::Launch& launch, T a, const T* x, const T* y, T* out, std::size_t n) {
        const auto in_x = launch.memory(x, n);
        const auto in_y = launch.memory(y, n);
        const auto result = launch.memory(out, n);
        for (std::size_t i = 0; i < n; ++i) result[i] = a * in_x[i] + in_y[i];
    });
}

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    define_saxpy<float>("_Z5saxpyIfEvT_PKS0_S2_PS0_m");
    define_saxpy<double>("_Z5saxpyIdEvT_PKS0_S2_PS0_m");
    return true;
}();

}  // namespace
