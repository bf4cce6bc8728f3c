// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/options.hpp>

#include <cstdio>
#include <cstdlib>

namespace cubind::sim {

Options options_from_environment() {
    Options options;
    int number = 0;
    int minor = 0;
    std::size_t bytes = 0;
    const auto text = [](const char* variable) {
        const char* const value = std::getenv(variable);
        return value != nullptr ? value : "";
    };
    if (std::sscanf(text("CUBIND_SIM_DEVICES"), "%d", &number) == 1 && number >= 0) options.devices = number;
    if (std::sscanf(text("CUBIND_SIM_MEMORY"), "%zu", &bytes) == 1) options.memory = bytes;
    if (std::sscanf(text("CUBIND_SIM_COMPUTE_CAPABILITY"), "%d.%d", &number, &minor) == 2) {
        options.major = number;
        options.minor = minor;
    }
    if (std::sscanf(text("CUBIND_SIM_RELEASE"), "%d.%d", &number, &minor) == 2) options.release = text("CUBIND_SIM_RELEASE");
    return options;
}

}  // namespace cubind::sim
