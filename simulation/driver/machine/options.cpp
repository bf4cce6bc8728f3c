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

/// A variable of the environment, which has a value.
struct Variable {
    const char* name;
    std::string_view value;

    [[noreturn]] void refuse(const std::string& expected) const {
        throw std::invalid_argument(std::string(name) + " is \"" + escaped(value) + "\", but must be " + expected);
    }
};

// Reads a number up to a limit.
template <class Number>
void read_into(Number& number, const Variable& variable, Number limit, const char* example) {
    const auto found = read_number<Number>(variable.value);
    if (!found || *found < 0 || *found > limit)
        variable.refuse("a whole number from 0 to " + std::to_string(limit) + ", such as " + example);
    number = *found;
}

std::pair<int, int> read_version_of(const Variable& variable, const char* expected) {
    const auto found = read_version(variable.value);
    if (!found) variable.refuse(expected);
    return *found;
}

void read_into(bool& is_allowed, const Variable& variable) {
    if (variable.value != "0" && variable.value != "1") variable.refuse("0 or 1");
    is_allowed = variable.value == "1";
}

void read_into(Fidelity& fidelity, const Variable& variable) {
    for (const Fidelity each : {Fidelity::approximate, Fidelity::rule, Fidelity::exact}) {
        if (variable.value == name_of(each)) {
            fidelity = each;
            return;
        }
    }
    variable.refuse("exact, rule or approximate");
}

/// A variable of the simulation, and how its value changes the options.
struct Setting {
    const char* name;
    void (*apply)(const Variable& variable, Options& options);
};

constexpr Setting settings[] = {
    {"CUBIND_SIM_DEVICES",
     [](const Variable& variable, Options& options) { read_into(options.devices, variable, max_devices, "2"); }},
    {"CUBIND_SIM_MEMORY",
     [](const Variable& variable, Options& options) {
         read_into(options.memory, variable, std::numeric_limits<std::size_t>::max(), "17179869184 for 16 GiB");
     }},
    {"CUBIND_SIM_COMPUTE_CAPABILITY",
     [](const Variable& variable, Options& options) {
         std::tie(options.major, options.minor) =
             read_version_of(variable, "a compute capability with a dot, such as 8.0 for sm_80");
     }},
    {"CUBIND_SIM_RELEASE",
     [](const Variable& variable, Options& options) {
         static_cast<void>(read_version_of(variable, "a release of CUDA, such as 12.4"));
         options.release = variable.value;
     }},
    {"CUBIND_SIM_WORKERS",
     [](const Variable& variable, Options& options) {
         read_into(options.workers, variable, std::numeric_limits<unsigned>::max(), "4");
     }},
    {"CUBIND_SIM_SEED",
     [](const Variable& variable, Options& options) {
         read_into(options.seed, variable, std::numeric_limits<unsigned long long>::max(), "7");
     }},
    {"CUBIND_SIM_KERNEL_SECONDS",
     [](const Variable& variable, Options& options) {
         read_into(options.kernel_seconds, variable, std::numeric_limits<unsigned>::max(), "60");
     }},
    {"CUBIND_SIM_REPORT", [](const Variable&, Options&) {}},  // the libraries read it when the process ends
    {"CUBIND_SIM_FIDELITY", [](const Variable&, Options& options) { options.counts_instructions = true; }},
    {"CUBIND_SIM_FIDELITY_REQUIRE",
     [](const Variable& variable, Options& options) { read_into(options.required_fidelity, variable); }},
    {"CUBIND_SIM_ALLOW_FORK", [](const Variable& variable, Options& options) { read_into(options.allows_fork, variable); }},
    {"CUBIND_SIM_ALLOW_PEER_MEMORY",
     [](const Variable& variable, Options& options) { read_into(options.allows_peer_memory, variable); }},
    {"CUBIND_SIM_ALLOW_UNDEFINED_FUNCTIONS",
     [](const Variable& variable, Options& options) { read_into(options.allows_undefined_functions, variable); }},
    {"CUBIND_SIM_ALLOW_HIDDEN_DEVICES",
     [](const Variable& variable, Options& options) {
         bool are_shown = false;
         read_into(are_shown, variable);
         if (are_shown) options.visible_devices.reset();
     }},
};

// A variable with a misspelled name must not be ignored.
void check_names() {
    constexpr std::string_view prefix = "CUBIND_SIM_";
    for (const char* const* entry = cubind::detail::environment_entries(); entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        if (!name.starts_with(prefix) || std::ranges::find(settings, name, &Setting::name) != std::end(settings)) continue;
        std::string all;
        for (const Setting& each : settings) all.append(all.empty() ? "" : ", ").append(each.name);
        throw std::invalid_argument(escaped(name) + " is no variable of the simulation; there are " + all);
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
    if (const char* const visible = cubind::detail::environment_variable("CUDA_VISIBLE_DEVICES"))
        options.visible_devices = visible;
    for (const Setting& each : settings) {
        const char* const value = cubind::detail::environment_variable(each.name);
        if (value != nullptr && *value != '\0') each.apply({each.name, value}, options);
    }
    return options;
}

}  // namespace CUBIND_NAMESPACE::sim
