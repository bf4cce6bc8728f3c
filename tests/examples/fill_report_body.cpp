// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the example 03_kernel_arguments on the simulated driver. Includes the example, because the kernel uses its structs.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

#include "03_kernel_arguments.cpp"

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("fill_report", [](const sim::Launch& launch, bool flag, signed char tiny, short medium, int number,
                                         unsigned long long big, float single, double precise, const int* values, int value_count,
                                         Settings settings, const Settings* more_settings, Report* report) {
        const auto numbers = launch.memory(values, static_cast<std::size_t>(value_count));
        const int sum = std::accumulate(numbers.begin(), numbers.end(), 0);
        const Settings by_pointer = launch.memory(more_settings, 1)[0];
        launch.memory(report, 1)[0] = {flag, tiny, medium, number, big, single, precise, sum, settings, by_pointer};
    });
    return true;
}();

}  // namespace
