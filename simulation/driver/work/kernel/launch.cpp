// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/kernel/launch.hpp"

#include "objects/device/attributes.hpp"
#include "objects/module/occupancy.hpp"
#include "work/kernel/arguments.hpp"
#include "work/kernel/cluster.hpp"
#include "work/kernel/launch_attributes.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

bool is_within(const Extent3& size, const Device& device, CUdevice_attribute x, CUdevice_attribute y, CUdevice_attribute z) {
    const auto is_valid = [&](unsigned extent, CUdevice_attribute limit) {
        return extent != 0 && extent <= static_cast<unsigned>(device_attribute(device, limit));
    };
    return is_valid(size.x, x) && is_valid(size.y, y) && is_valid(size.z, z);
}

}  // namespace

CUresult check_shape(const KernelView& view, const CUlaunchConfig& config) {
    const Extent3 grid{config.gridDimX, config.gridDimY, config.gridDimZ};
    const Extent3 block{config.blockDimX, config.blockDimY, config.blockDimZ};
    const bool has_shape = is_within(grid, view.device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
                                     CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z) &&
                           is_within(block, view.device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
                                     CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) &&
                           threads_of(config) <= view.get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    if (!has_shape) return CUDA_ERROR_INVALID_VALUE;
    if (view.kernel.is_block_required && !(block == view.kernel.block)) return CUDA_ERROR_INVALID_VALUE;
    const auto dynamic_limit = static_cast<unsigned>(view.get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
    const auto static_limit =
        static_cast<std::size_t>(device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    const bool fits = config.sharedMemBytes <= dynamic_limit && view.kernel.shared_bytes <= static_limit;
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

namespace {

// All blocks of a cooperative launch must be resident at the same time.
CUresult check_cooperation(const KernelView& view, const CUlaunchConfig& config) {
    const auto blocks =
        static_cast<unsigned long long>(blocks_on_multiprocessor(view, threads_of(config), config.sharedMemBytes) *
                                        device_attribute(view.device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    // A product that overflows exceeds the limit, too.
    unsigned long long requested = 0;
    const bool is_too_large = __builtin_mul_overflow(1ull * config.gridDimX * config.gridDimY, config.gridDimZ, &requested);
    return is_too_large || requested > blocks ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

// Records a launch that does not begin, with the reason, which is printed.
CUresult refuse(const LaunchRequest& request, CUresult status, std::string problem) {
    Launch refused = request.launch;
    refused.status = status;
    refused.problem = std::move(problem);
    request.services->log.add(std::move(refused));
    return status;
}

// The body's parameters must match the kernel's. Otherwise the body would read its arguments at wrong offsets.
CUresult check_body(const LaunchRequest& request, const ptx::Kernel& kernel) {
    if (request.body == nullptr || request.body->parameters == kernel.parameters) return CUDA_SUCCESS;
    const auto describe = [](const std::vector<detail::ParameterLayout>& places) {
        std::string text;
        for (const auto& place : places) {
            text += (text.empty() ? "" : ", ") + std::to_string(place.size) + " at " + std::to_string(place.offset);
        }
        return text.empty() ? "nothing" : text;
    };
    return refuse(request, CUDA_ERROR_INVALID_VALUE,
                  "the kernel takes (bytes at offset) " + describe(kernel.parameters) + ", but its body takes " +
                      describe(request.body->parameters));
}

// Machine code cannot run, but a body can replace it.
CUresult check_code(const LaunchRequest& request) {
    const ptx::ModuleInterface& image = *request.function->image;
    if (!image.is_machine_code() || request.body != nullptr) return CUDA_SUCCESS;
    const std::string target = std::to_string(image.target);
    return refuse(request, CUDA_ERROR_NOT_SUPPORTED,
                  "the module has only machine code for sm_" + std::to_string(image.machine_target) +
                      ", which a simulated device cannot run; compile to PTX (nvcc -gencode arch=compute_" + target +
                      ",code=compute_" + target + "), or start a program that compiles at run time with cubind-sim");
}

}  // namespace

CUresult make_launch(const LaunchServices& services, const std::shared_ptr<Function>& function, const CUlaunchConfig& config,
                     void** parameters, void** extra, LaunchRequest& request) {
    const KernelView view = function->view();
    const ptx::Kernel& kernel = function->kernel;
    if (const CUresult status = check_attributes(config, services.release)) return status;
    if (const CUresult status = check_shape(view, config)) return status;
    Launch& launch = request.launch;
    if (const CUresult status = find_cluster(view, config, launch.cluster)) return status;
    request.has_cluster = launch.cluster.x != 0;
    if (!request.has_cluster) launch.cluster = {};
    const CUlaunchAttributeValue* const cooperative = find_attribute(config, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
    request.is_cooperative = cooperative != nullptr && cooperative->cooperative != 0;
    if (request.is_cooperative) {
        if (const CUresult status = check_cooperation(view, config)) return status;
    }
    if (const CUresult status = copy_arguments(kernel, parameters, extra, launch.arguments)) return status;
    launch.name = kernel.name;
    launch.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
    launch.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
    launch.shared_bytes = config.sharedMemBytes;
    launch.stream = config.hStream;
    request.attributes.assign(config.attrs, config.attrs + config.numAttrs);
    request.services = &services;
    request.function = function;
    request.body = services.bodies.find(kernel.name);
    if (const CUresult status = check_code(request)) return status;
    return check_body(request, kernel);
}

}  // namespace CUBIND_NAMESPACE::sim
