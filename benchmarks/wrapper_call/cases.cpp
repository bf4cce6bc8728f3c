// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <cubind/driver/device.hpp>
#include <cubind/driver/event.hpp>
#include <cubind/driver/execution.hpp>
#include <cubind/driver/memory.hpp>

#include <cstdlib>

#include "raw_calls.hpp"

namespace {

namespace driver = cubind::driver;

/// Prevents the compiler from removing an unused value.
template <class Value>
void use(const Value& value) {
    asm volatile("" : : "r"(value));
}

void raw_mem_alloc(long count) {
    for (long i = 0; i < count; ++i) {
        driver::CUdeviceptr address = 0;
        if (raw::mem_alloc(&address, 64) != driver::CUDA_SUCCESS) std::abort();
        use(address);
    }
}

void wrapper_mem_alloc(long count) {
    for (long i = 0; i < count; ++i) {
        const auto [status, address] = driver::cuMemAlloc(64);
        if (status != driver::CUDA_SUCCESS) std::abort();
        use(address);
    }
}

void raw_device_get_count(long count) {
    for (long i = 0; i < count; ++i) {
        int devices = 0;
        if (raw::device_get_count(&devices) != driver::CUDA_SUCCESS) std::abort();
        use(devices);
    }
}

void wrapper_device_get_count(long count) {
    for (long i = 0; i < count; ++i) {
        const auto [status, devices] = driver::cuDeviceGetCount();
        if (status != driver::CUDA_SUCCESS) std::abort();
        use(devices);
    }
}

void raw_mem_get_info(long count) {
    for (long i = 0; i < count; ++i) {
        std::size_t free = 0;
        std::size_t total = 0;
        if (raw::mem_get_info(&free, &total) != driver::CUDA_SUCCESS) std::abort();
        use(free);
        use(total);
    }
}

void wrapper_mem_get_info(long count) {
    for (long i = 0; i < count; ++i) {
        const auto [status, free, total] = driver::cuMemGetInfo();
        if (status != driver::CUDA_SUCCESS) std::abort();
        use(free);
        use(total);
    }
}

void raw_event_record(long count) {
    for (long i = 0; i < count; ++i) {
        if (raw::event_record(nullptr, nullptr) != driver::CUDA_SUCCESS) std::abort();
    }
}

void wrapper_event_record(long count) {
    for (long i = 0; i < count; ++i) {
        if (!driver::cuEventRecord(nullptr, nullptr).ok()) std::abort();
    }
}

void raw_launch_kernel(long count) {
    for (long i = 0; i < count; ++i) {
        if (raw::launch_kernel(nullptr, 1, 2, 3, 4, 5, 6, 7, nullptr, nullptr, nullptr) != driver::CUDA_SUCCESS) std::abort();
    }
}

void wrapper_launch_kernel(long count) {
    for (long i = 0; i < count; ++i) {
        if (!driver::cuLaunchKernel(nullptr, 1, 2, 3, 4, 5, 6, 7, nullptr, nullptr, nullptr).ok()) std::abort();
    }
}

constexpr Case cases[] = {
    {"cuEventRecord, 2 parameters, no out value", raw_event_record, wrapper_event_record},
    {"cuDeviceGetCount, 1 out value of 4 bytes", raw_device_get_count, wrapper_device_get_count},
    {"cuMemAlloc, 1 out value of 8 bytes", raw_mem_alloc, wrapper_mem_alloc},
    {"cuMemGetInfo, 2 out values", raw_mem_get_info, wrapper_mem_get_info},
    {"cuLaunchKernel, 11 parameters", raw_launch_kernel, wrapper_launch_kernel},
};

}  // namespace

std::span<const Case> prepared_cases() {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN_DRIVER, 1);
    raw::load(STAND_IN_DRIVER);
    for (const Case& each : cases) {
        each.raw(1);
        each.wrapper(1);
    }
    return cases;
}
