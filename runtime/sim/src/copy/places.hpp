// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "copy/transfer.hpp"

/// Ends of a copy of one dimension.
namespace CUBIND_NAMESPACE::sim {

inline Place device_place(CUdeviceptr address) {
    return {.side = Side::device, .address = address};
}

inline Place any_place(CUdeviceptr address) {
    return {.side = Side::any, .address = address};
}

inline Place host_place(const void* address) {
    return {.side = Side::host, .address = reinterpret_cast<std::uintptr_t>(address)};
}

}  // namespace CUBIND_NAMESPACE::sim
