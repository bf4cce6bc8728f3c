// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/failure.hpp>
#include <cubind/nvrtc.hpp>
#include <cubind/version.hpp>

#include <cstdio>

extern "C" void print_failure() {
    const auto result = cubind::nvrtc::nvrtcVersion();
    std::printf("%d.%d %s %s\n", CUBIND_VERSION_MAJOR, CUBIND_VERSION_MINOR, cubind::nvrtc::to_string(result.status),
                cubind::last_failure().function);
}
