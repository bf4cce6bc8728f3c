// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/session.hpp"

#include <cubind/nvml/initialization.hpp>
#include <cubind/nvml/loading.hpp>
#include <cubind/substitute.hpp>

#include <atomic>
#include <mutex>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system::detail {
namespace {

// The implementation of NVML that was initialized; it changes if a test substitutes the library.
std::atomic<const void*> initialized{nullptr};
std::mutex initialization;

bool is_initialized() {
    const void* const implementation = current_implementation(nvml::library());
    return implementation != nullptr && initialized.load(std::memory_order_acquire) == implementation;
}

}  // namespace

void initialize() {
    if (is_initialized()) return;
    const std::lock_guard lock(initialization);
    if (is_initialized()) return;
    checked(nvml::nvmlInit_v2());
    initialized.store(current_implementation(nvml::library()), std::memory_order_release);
}

}  // namespace CUBIND_NAMESPACE::system::detail
