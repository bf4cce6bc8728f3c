// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/failure.hpp>
#include <cubind/nvrtc.hpp>

#include <cstdio>

int main() {
    auto [status, major, minor] = cubind::nvrtc::nvrtcVersion();
    std::printf("%s %d %d %s\n", cubind::nvrtc::to_string(status), major, minor, cubind::last_failure().function);
}
