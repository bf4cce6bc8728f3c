// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/free_order.hpp>

namespace cubind::detail {

/// Tells the cleanup handler of the exception that is being handled.
void report_not_freed(driver::CUdeviceptr pointer, std::size_t size) noexcept;

/// Gives memory back to its resource where nothing may be thrown: the cleanup handler is told.
inline void free_quietly(const FreeOrder& order, MemoryResourceBase& resource, driver::CUdeviceptr pointer, std::size_t size) noexcept {
    try {
        order.deallocate(resource, pointer, size);
    } catch (...) {
        report_not_freed(pointer, size);
    }
}

}  // namespace cubind::detail
