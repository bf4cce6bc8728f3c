// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "support/observe.hpp"
#include "work/kernel/body.hpp"
#include "work/kernel/execute.hpp"
#include "work/kernel/illegal_address.hpp"
#include "work/kernel/launch.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

thread_local constinit Context* current_context_of_body = nullptr;

void try_body(const detail::Body& body, Launch& launch) {
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

void run(const LaunchRequest& request, Launch& launch) {
    if (request.body != nullptr) {
        call_body(*request.body, launch, *request.function->context);
    } else {
        execute(request, launch);
    }
}

void describe(const LaunchRequest& request, SimulatedActivity& activity) {
    const Launch& launch = request.launch;
    const KernelView view = request.function->view();
    activity.name = launch.name.c_str();
    const auto write = [](std::uint32_t(&to)[3], const Extent3& from) {
        to[0] = from.x;
        to[1] = from.y;
        to[2] = from.z;
    };
    write(activity.grid, launch.grid);
    write(activity.block, launch.block);
    activity.registers = static_cast<std::uint32_t>(view.get(CU_FUNC_ATTRIBUTE_NUM_REGS));
    activity.static_shared_bytes = static_cast<std::uint32_t>(view.get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    activity.dynamic_shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes);
}

// Fails a launch because memory is exhausted. If no memory is left for a long reason, stores a short one.
void fail_without_memory(Launch& launch) noexcept {
    launch.status = CUDA_ERROR_OUT_OF_MEMORY;
    try {
        launch.problem = "the host has no memory left to run kernel " + launch.name;
    } catch (const std::bad_alloc&) {
        launch.problem = "no host memory";  // needs no allocation
    }
}

}  // namespace

void call_body(const detail::Body& body, Launch& launch, Context& context) {
    Context* const previous = std::exchange(current_context_of_body, &context);
    WorkQueue::call_host_function([&] { try_body(body, launch); });
    current_context_of_body = previous;
}

Context* context_of_body() noexcept {
    return current_context_of_body;
}

void run_launch(const LaunchRequest& request) {
    const Context& context = *request.function->context;
    if (context.device.fault() != CUDA_SUCCESS || context.must_kernels_end()) return;
    // If this throws, the stream's WorkQueue sets a fault of the device.
    LaunchLog::Record record(1, request.launch);
    Launch& launch = record.front();
    const auto run_kernel = [&] {
        try {
            run(request, launch);
        } catch (const std::bad_alloc&) {
            fail_without_memory(launch);
        }
    };
    observe_work(ActivityKind::kernel, run_kernel, [&](SimulatedActivity& activity) { describe(request, activity); });
    const CUresult status = launch.status;
    std::string problem;  // the log may have destroyed the record when the fault is set
    if (status != CUDA_SUCCESS) {
        try {
            problem = launch.problem;
        } catch (const std::bad_alloc&) {  // the fault has a short text
        }
    }
    request.services->log.add(std::move(record));
    // The fault follows the record, so that a program that sees the fault finds its reason. An interrupted kernel of a context
    // that has ended causes no fault.
    if (status == CUDA_SUCCESS || context.must_kernels_end()) return;
    context.device.set_fault(status, "kernel ", request.launch.name.c_str(), problem.c_str());
    // An illegal address ends all work of the process.
    if (status != CUDA_ERROR_ILLEGAL_ADDRESS) return;
    for (const auto& each : request.services->devices) {
        if (each.get() != &context.device) each->set_fault(status, "kernel ", request.launch.name.c_str(), problem.c_str());
    }
}

}  // namespace CUBIND_NAMESPACE::sim
