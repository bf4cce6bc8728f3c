// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/simulation.hpp>
#include <cubind/entry_point.hpp>

#include "calls/availability.hpp"
#include "lifetime/once_per_driver.hpp"

namespace CUBIND_NAMESPACE {
namespace {

constinit detail::OncePerDriver<const bool> is_simulation;

}  // namespace

bool is_simulated_driver() {
    return is_simulation.get([] {
        EntryPoint mark{.symbol = "cubindSimulation", .library = &driver::library()};
        return std::make_unique<const bool>(detail::is_available(mark));
    });
}

}  // namespace CUBIND_NAMESPACE
