// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/environment.hpp>
#include <cubind/sim/options.hpp>

#include "support/numbers.hpp"

namespace CUBIND_NAMESPACE::sim {

Options options_from_environment() {
    Options options;
    const auto text = [](const char* variable) -> std::string_view {
        const char* const value = cubind::detail::environment_variable(variable);
        return value != nullptr ? value : "";
    };
    // The limit of distinct PCI bus IDs.
    constexpr int max_devices = 255;
    const auto devices = read_number<int>(text("CUBIND_SIM_DEVICES"));
    if (devices && *devices >= 0 && *devices <= max_devices) options.devices = *devices;
    if (const auto bytes = read_number<std::size_t>(text("CUBIND_SIM_MEMORY"))) options.memory = *bytes;
    if (const auto capability = read_version(text("CUBIND_SIM_COMPUTE_CAPABILITY"))) {
        options.major = capability->first;
        options.minor = capability->second;
    }
    if (const auto workers = read_number<unsigned>(text("CUBIND_SIM_WORKERS"))) options.workers = *workers;
    if (const auto seed = read_number<unsigned long long>(text("CUBIND_SIM_SEED"))) options.seed = *seed;
    if (const auto seconds = read_number<unsigned>(text("CUBIND_SIM_KERNEL_SECONDS"))) options.kernel_seconds = *seconds;
    if (read_version(text("CUBIND_SIM_RELEASE"))) options.release = text("CUBIND_SIM_RELEASE");
    return options;
}

}  // namespace CUBIND_NAMESPACE::sim
