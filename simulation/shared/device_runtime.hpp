// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string_view>

namespace CUBIND_NAMESPACE::sim {

/// Checks for libcudadevrt.a, whose functions the linker of the simulated driver provides. It is an archive that has an object of
/// this name in each release.
inline bool is_device_runtime(std::string_view bytes) noexcept {
    return bytes.starts_with("!<arch>\n") && bytes.find("cuda_device_runtime.o") != std::string_view::npos;
}

}  // namespace CUBIND_NAMESPACE::sim
