// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "work/kernel/execute.hpp"
#include "work/kernel/illegal_address.hpp"
#include "work/kernel/launch.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

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
    // A program that sees the fault finds its reason.
    const CUresult status = launch.status;
    request.services->log.add(std::move(launch));
    if (status != CUDA_SUCCESS) device.set_fault(status);
}

}  // namespace CUBIND_NAMESPACE::sim
