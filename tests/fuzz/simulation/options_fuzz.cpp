// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/options.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "machine/machine.hpp"

// The input holds the values of the environment variables, separated by zero bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string rest(reinterpret_cast<const char*>(data), size);
    for (const char* variable :
         {"CUBIND_SIM_DEVICES", "CUBIND_SIM_COMPUTE_CAPABILITY", "CUBIND_SIM_RELEASE", "CUBIND_SIM_MEMORY"}) {
        const std::size_t end = rest.find('\0');
        setenv(variable, rest.c_str(), 1);
        rest.erase(0, end == std::string::npos ? rest.size() : end + 1);
    }
    try {
        const cubind::sim::Machine machine(cubind::sim::options_from_environment());
        if (machine.release < 0) std::abort();
    } catch (const std::invalid_argument&) {  // a mistake in a value
    }
    return 0;
}
