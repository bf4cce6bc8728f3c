// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/options.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include "platform/environment.hpp"
#include "support/numbers.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr int max_devices = 255;  // the limit of distinct PCI bus IDs

// A mistake in the variable must not accept what a test wants to refuse.
Fidelity read_fidelity(std::string_view text) {
    for (const Fidelity each : {Fidelity::approximate, Fidelity::rule}) {
        if (text == name_of(each)) return each;
    }
    return Fidelity::exact;
}

}  // namespace

void check_options(const Options& options) {
    if (options.devices < 0 || options.devices > max_devices) {
        throw std::invalid_argument("sim::Options::devices is " + std::to_string(options.devices) + ", but must be from 0 to " +
                                    std::to_string(max_devices));
    }
    if (!options.release.empty() && !read_version(options.release)) {
        throw std::invalid_argument("sim::Options::release is \"" + options.release +
                                    "\", but must be a release of CUDA, such as 12.4");
    }
}

Options options_from_environment() {
    Options options;
    const auto text = [](const char* variable) -> std::string_view {
        const char* const value = cubind::detail::environment_variable(variable);
        return value != nullptr ? value : "";
    };
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
    options.counts_instructions = !text("CUBIND_SIM_FIDELITY").empty();
    const std::string_view fidelity = text("CUBIND_SIM_FIDELITY_REQUIRE");
    if (!fidelity.empty()) options.required_fidelity = read_fidelity(fidelity);
    return options;
}

}  // namespace CUBIND_NAMESPACE::sim
