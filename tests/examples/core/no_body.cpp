// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts a simulated driver under an example that has no kernel, before its main() begins.
#include <cubind/sim/install.hpp>

namespace {

[[maybe_unused]] const bool is_installed = [] {
    cubind::sim::install();
    return true;
}();

}  // namespace
