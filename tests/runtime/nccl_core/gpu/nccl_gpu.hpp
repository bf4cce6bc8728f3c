// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>
#include <cubind/nccl/loading.hpp>

#include <cstddef>
#include <string>

namespace cubind::testing {

inline constexpr std::size_t element_count = 1 << 16;

/// Returns why NCCL cannot be tested here, or an empty text.
inline std::string problem() {
    if (library_path(nccl::library()) == nullptr) return "NCCL was not found";
    try {
        return Device::count() < 2 ? "there are fewer than two GPUs" : "";
    } catch (const Error&) {
        return "there is no driver";
    }
}

}  // namespace cubind::testing
