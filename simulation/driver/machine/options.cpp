// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/options.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "platform/environment.hpp"
#include "shared/escaped.hpp"
#include "support/numbers.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr int max_devices = 255;  // the limit of distinct PCI bus IDs

/// A variable of the environment.
struct Variable {
    const char* name;
    std::string_view value;  ///< empty if it is not set

    [[noreturn]] void refuse(const std::string& expected) const {
        throw std::invalid_argument(std::string(name) + " is \"" + escaped(value) + "\", but must be " + expected);
    }
};

Variable read(const char* name) {
    const char* const value = cubind::detail::environment_variable(name);
    return {name, value != nullptr ? value : ""};
}

// Reads a number up to a limit into `number`, unless the variable is not set.
template <class Number>
void read_into(Number& number, const Variable& variable, Number limit, const char* example) {
    if (variable.value.empty()) return;
    const auto found = read_number<Number>(variable.value);
    if (!found || *found < 0 || *found > limit)
        variable.refuse("a whole number from 0 to " + std::to_string(limit) + ", such as " + example);
    number = *found;
}

void read_into(std::pair<int, int>& version, const Variable& variable, const char* expected) {
    if (variable.value.empty()) return;
    const auto found = read_version(variable.value);
    if (!found) variable.refuse(expected);
    version = *found;
}

void read_into(Fidelity& fidelity, const Variable& variable) {
    if (variable.value.empty()) return;
    for (const Fidelity each : {Fidelity::approximate, Fidelity::rule, Fidelity::exact}) {
        if (variable.value == name_of(each)) {
            fidelity = each;
            return;
        }
    }
    variable.refuse("exact, rule or approximate");
}

// A variable with a misspelled name must not be ignored either.
void check_names() {
    constexpr std::string_view prefix = "CUBIND_SIM_";
    constexpr std::string_view known[] = {"DEVICES", "MEMORY", "COMPUTE_CAPABILITY", "RELEASE",  "WORKERS",
                                          "SEED",    "REPORT", "KERNEL_SECONDS",     "FIDELITY", "FIDELITY_REQUIRE"};
    for (const char* const* entry = cubind::detail::environment_entries(); entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (!text.starts_with(prefix)) continue;
        const std::string_view name = text.substr(prefix.size(), text.find('=') - prefix.size());
        if (std::ranges::find(known, name) != std::end(known)) continue;
        std::string all;
        for (const std::string_view each : known) all.append(all.empty() ? "" : ", ").append(prefix).append(each);
        throw std::invalid_argument(std::string(prefix) + escaped(name) + " is no variable of the simulation; there are " + all);
    }
}

}  // namespace

void check_options(const Options& options) {
    if (options.devices < 0 || options.devices > max_devices) {
        throw std::invalid_argument("sim::Options::devices is " + std::to_string(options.devices) + ", but must be from 0 to " +
                                    std::to_string(max_devices));
    }
    if (!options.release.empty() && !read_version(options.release)) {
        throw std::invalid_argument("sim::Options::release is \"" + escaped(options.release) +
                                    "\", but must be a release of CUDA, such as 12.4");
    }
}

Options options_from_environment() {
    Options options;
    check_names();
    read_into(options.devices, read("CUBIND_SIM_DEVICES"), max_devices, "2");
    read_into(options.memory, read("CUBIND_SIM_MEMORY"), std::numeric_limits<std::size_t>::max(), "17179869184 for 16 GiB");
    read_into(options.workers, read("CUBIND_SIM_WORKERS"), std::numeric_limits<unsigned>::max(), "4");
    read_into(options.seed, read("CUBIND_SIM_SEED"), std::numeric_limits<unsigned long long>::max(), "7");
    read_into(options.kernel_seconds, read("CUBIND_SIM_KERNEL_SECONDS"), std::numeric_limits<unsigned>::max(), "60");
    std::pair capability(options.major, options.minor);
    read_into(capability, read("CUBIND_SIM_COMPUTE_CAPABILITY"), "a compute capability with a dot, such as 8.0 for sm_80");
    std::tie(options.major, options.minor) = capability;
    std::pair release(0, 0);
    const Variable release_variable = read("CUBIND_SIM_RELEASE");
    read_into(release, release_variable, "a release of CUDA, such as 12.4");
    options.release = release_variable.value;
    options.counts_instructions = !read("CUBIND_SIM_FIDELITY").value.empty();
    read_into(options.required_fidelity, read("CUBIND_SIM_FIDELITY_REQUIRE"));
    if (const char* const visible = cubind::detail::environment_variable("CUDA_VISIBLE_DEVICES"))
        options.visible_devices = visible;
    return options;
}

}  // namespace CUBIND_NAMESPACE::sim
