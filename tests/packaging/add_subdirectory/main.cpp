// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvrtc.hpp>

#include <cstdio>

#include <cubind/failure.hpp>

int main() {
    auto [status, major, minor] = cubind::nvrtc::nvrtcVersion();
    std::printf("%s %d %d %s\n", cubind::nvrtc::to_string(status), major, minor, cubind::last_failure().function);
}
