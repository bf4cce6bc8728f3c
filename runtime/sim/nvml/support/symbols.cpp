// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/symbols.hpp"

#include <atomic>
#include <new>
#include <stdexcept>

namespace CUBIND_NAMESPACE::sim::management {

namespace {

constinit std::atomic<unsigned long> counts[max_symbols] = {};

}  // namespace

void count_unsupported_call(std::size_t index) noexcept {
    counts[index].fetch_add(1, std::memory_order_relaxed);
}

unsigned long unsupported_calls(std::size_t index) noexcept {
    return counts[index].load(std::memory_order_relaxed);
}

nvmlReturn_t status_of_exception() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return NVML_ERROR_MEMORY;
    } catch (const std::length_error&) {  // a container of more elements than memory can hold
        return NVML_ERROR_MEMORY;
    } catch (...) {
        return NVML_ERROR_UNKNOWN;
    }
}

}  // namespace CUBIND_NAMESPACE::sim::management
