// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/graph_capture before main() and implements its kernels in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("add", [](const sim::Launch& launch, unsigned* data, unsigned value, std::size_t n) {
        for (unsigned& number : launch.memory(data, n)) number += value;
    });
    sim::define_kernel("multiply", [](const sim::Launch& launch, unsigned* data, unsigned factor, std::size_t n) {
        for (unsigned& number : launch.memory(data, n)) number *= factor;
    });
    return true;
}();

}  // namespace
