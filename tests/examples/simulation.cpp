// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver before main().
#include <cubind/sim/install.hpp>

namespace {

[[maybe_unused]] const bool is_installed = [] {
    cubind::sim::install();
    return true;
}();

}  // namespace
