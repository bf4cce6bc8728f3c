// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/kernel/execute.hpp"

#include <chrono>
#include <thread>

#include "objects/device/attributes.hpp"
#include "ptx/run/grid.hpp"
#include "ptx/text/syntax.hpp"
#include "work/kernel/children.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// More threads would not be faster, and could exhaust the threads of the machine.
constexpr unsigned max_workers = 1024;

unsigned number_of_workers(const Options& options) {
    return std::min(options.workers != 0 ? options.workers : std::max(std::thread::hardware_concurrency(), 1u), max_workers);
}

using Clock = GraphRun::Clock;

// Returns a function that returns why a launch that began at a time must end early, or an empty text.
auto find_interruption_of(const Context& context, const Options& options, Clock::time_point start) {
    return [&context, &options, start]() -> std::string {
        if (context.device.fault() != CUDA_SUCCESS) return "the device has a fault";
        if (context.must_kernels_end()) {
            return "its context was destroyed " + std::to_string(options.shutdown_seconds) +
                   " s before (Options::shutdown_seconds)";
        }
        if (options.kernel_seconds != 0 && Clock::now() - start >= std::chrono::seconds(options.kernel_seconds)) {
            return "the limit is " + std::to_string(options.kernel_seconds) +
                   " s (CUBIND_SIM_KERNEL_SECONDS, Options::kernel_seconds)";
        }
        return {};
    };
}

}  // namespace

void execute(const LaunchRequest& request, Launch& launch) {
    const Function& function = *request.function;
    ptx::KernelCode* const code = function.executable->find_kernel(launch.name);
    if (code == nullptr) return;  // kernels that are declared only have no code
    const Device& device = function.context->device;
    const LaunchServices& services = *request.services;
    const std::shared_ptr<KernelHeap> heap = services.heaps.find(*function.context);
    KernelTextures textures(services.objects);
    ptx::GridRequest grid;
    grid.code = code;
    grid.kernel = &code->kernel();
    grid.grid = launch.grid;
    grid.block = launch.block;
    grid.cluster = launch.cluster;
    grid.is_explicit_cluster = request.has_cluster;
    grid.dynamic_shared_bytes = launch.shared_bytes;
    grid.parameters = launch.arguments;
    grid.memory = &heap->memory;
    grid.heap = &heap->heap;
    grid.textures = &textures;
    grid.set_condition = services.set_condition;
    const GraphRun* const run = GraphRun::current();
    if (run != nullptr) grid.graph = reinterpret_cast<std::uint64_t>(run->graph());
    grid.multiprocessors = static_cast<unsigned>(device_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    grid.is_cooperative = request.is_cooperative;
    grid.workers = number_of_workers(services.options);
    grid.seed = services.options.seed;
    // All graphs that kernels launch count as one kernel, because a graph that repeats itself would never end.
    const std::optional<Clock::time_point> start = run != nullptr ? run->start() : std::nullopt;
    grid.find_interruption = find_interruption_of(*function.context, services.options, start.value_or(Clock::now()));
    if (const std::string reason = start ? grid.find_interruption() : ""; !reason.empty()) {
        launch.status = CUDA_ERROR_LAUNCH_TIMEOUT;
        launch.problem = "kernel " + launch.name + " of a graph that a kernel launched was not started: " + reason;
        return;
    }
    std::optional<ChildLaunches> children;
    if (function.image->code->has_device_runtime) grid.host = &children.emplace(services, function);
    ptx::GridResult result = ptx::run_grid(grid);
    launch.status = result.status;
    launch.problem = std::move(result.problem);
}

}  // namespace CUBIND_NAMESPACE::sim
