// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/kernels.hpp>

#include <cstdio>
#include <exception>

#include "kernel/execute.hpp"
#include "kernel/launch.hpp"
#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// Thrown to end a body that accesses memory outside of the driver's allocations.
struct IllegalAddress {
    std::string what;
};

// Runs a body. An exception becomes the status of the launch and does not propagate.
void call_body(const detail::Body& body, Launch& launch) {
    try {
        body.call(launch);
    } catch (const IllegalAddress& address) {
        launch.status = CUDA_ERROR_ILLEGAL_ADDRESS;
        launch.problem = address.what;
    } catch (const std::exception& error) {
        launch.status = CUDA_ERROR_LAUNCH_FAILED;
        launch.problem = error.what();
    } catch (...) {
        launch.status = CUDA_ERROR_LAUNCH_FAILED;
        launch.problem = "the body threw an exception that is not derived from std::exception";
    }
}

}  // namespace

void run_launch(const LaunchRequest& request) {
    Device& device = request.function->context->device;
    if (device.fault() != CUDA_SUCCESS) return;
    Launch launch = request.launch;
    if (request.body != nullptr) {
        WorkQueue::call_host_function([&] { call_body(*request.body, launch); });
    } else {
        execute(request, launch);
    }
    if (launch.status != CUDA_SUCCESS) device.set_fault(launch.status);
    machine().launches.add(std::move(launch));
}

void Launch::check_memory(const void* pointer, std::size_t count, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    std::size_t bytes = 0;
    if (count == 0) return;
    if (!__builtin_mul_overflow(count, size, &bytes)) {
        const auto memory = machine().memory.find(address);
        if (memory != nullptr && memory->contains(address, bytes)) return;
    }
    char text[100];
    std::snprintf(text, sizeof text, "%zu elements of %zu bytes at %p are not within device memory", count, size, pointer);
    throw IllegalAddress{text};
}

void detail::define(std::string name, Body body) {
    machine().bodies.define(std::move(name), std::move(body));
}

std::vector<Launch> launches() {
    return machine().launches.all();
}

void clear_launches() {
    machine().launches.clear();
}

}  // namespace CUBIND_NAMESPACE::sim
