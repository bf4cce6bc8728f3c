// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/sweep.hpp>

#include "use.hpp"

namespace cubind::testing {

void use_sweep(const std::string& folder) {
    const Device device;
    const Stream stream(device);
    auto data = device.allocate<int>(stream, 1 << 8);
    const auto sweep = [&] {
        return profile::sweep(
            {.name = "fill", .spread = 0.9, .min_repeats = 6, .max_repeats = 6, .calls_per_sample = 1, .stream = stream},
            {{"n", {1 << 8}}}, [&](const profile::Case& c) { fill(c.stream(), data.span().first(c["n"]), 1); },
            profile::bytes(4, "n"));
    };
    profile::SweepResult result = sweep();
    for (const char* const name : {"/sweep.csv", "/sweep.json", "/sweep.html", "/sweep.txt"}) result.write(folder + name);
    result.compare(folder + "/sweep.csv", 0.05);
    require(result.measurements().size() == 1, "the configuration is measured");
}

}  // namespace cubind::testing
