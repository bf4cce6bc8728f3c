// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/options/architecture.hpp"

#include <cubind/core/device/device.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/error.hpp>

#include <charconv>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {

std::optional<Architecture> parse_architecture(std::string_view text) {
    Architecture found = {.number = 0, .suffix = '\0', .is_virtual = text.starts_with("compute_")};
    if (!found.is_virtual && !text.starts_with("sm_")) return std::nullopt;
    text.remove_prefix(text.find('_') + 1);
    if (text.ends_with('a') || text.ends_with('f')) {
        found.suffix = text.back();
        text.remove_suffix(1);
    }
    // Two or three digits: 9.0 is 90 and 10.0 is 100.
    const bool has_length = text.size() == 2 || text.size() == 3;
    if (!has_length || text.front() == '0' || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    std::from_chars(text.data(), text.data() + text.size(), found.number);
    return found;
}

std::string current_architecture(const char* owner) {
    try {
        return std::string("sm_").append(Device().arch());
    } catch (const Error& failure) {
        std::string advice(owner);
        advice.append(
            "::arch is empty, so the architecture of the current device was queried. Without a device, set it, e.g. to "
            "\"sm_90\"");
        throw Error(failure, advice);
    }
}

// Machine code runs on devices with the same major number and at least the same minor number. With the suffix a, it runs only on
// devices with the same numbers.
bool is_architecture_of_simulated_device(const std::string& arch) {
    const auto architecture = parse_architecture(arch);
    if (!architecture || architecture->is_virtual || !is_simulated_driver()) return false;
    const auto initialized = driver::cuInit(0);
    if (initialized.status == driver::CUDA_ERROR_NO_DEVICE) return false;
    check_latest(initialized);
    const auto [major, minor] = Device().compute_capability();
    const auto device = static_cast<unsigned>(10 * major + minor);
    if (architecture->suffix == 'a') return architecture->number == device;
    return architecture->number / 10 == device / 10 && architecture->number <= device;
}

}  // namespace CUBIND_NAMESPACE::detail
