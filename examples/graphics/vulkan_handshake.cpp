// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Shares a buffer of Vulkan with CUDA without a copy. Vulkan fills the buffer, CUDA changes it, and Vulkan copies it to the host.
// Neither waits on the host: first, two binary semaphores order their work, then one timeline semaphore orders several rounds in
// both directions, by calls for a stream and then by launches of a graph. The program is headless, loads Vulkan at run time, and
// needs no headers of it.

#include <cubind/core.hpp>
#include <cubind/interop/external_memory.hpp>
#include <cubind/interop/external_semaphore.hpp>
#include <cubind/interop/external_semaphore_node.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../core/example.hpp"
#include "vulkan_device.hpp"

using namespace cubind;

namespace {

constexpr std::uint32_t n = 1u << 20;
constexpr vk::Bytes size = n * sizeof(std::uint32_t);  // 4 MiB
constexpr std::uint32_t pattern = 0x01020304;
constexpr std::uint32_t rounds = 4;

const char* const source = R"(
extern "C" __global__ void change(unsigned int* values, unsigned int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = 3 * values[i] + i;
}
)";

// The same as the kernel.
std::uint32_t change(std::uint32_t value, std::uint32_t i) {
    return 3 * value + i;
}

/// The commands of Vulkan with the shared buffer and the buffer that the host reads.
class Commands {
public:
    Commands(vk::Device& device, vk::Handle shared, vk::Handle results) : device_(device), shared_(shared), results_(results) {}

    /// Fills the shared buffer, and hands it over to CUDA.
    vk::Dispatchable fill() {
        const vk::Dispatchable commands = device_.begin_commands();
        device_.call<void(vk::Dispatchable, vk::Handle, vk::Bytes, vk::Bytes, std::uint32_t)>("vkCmdFillBuffer")(
            commands, shared_, 0, size, pattern);
        release(commands, vk::access_transfer_write);
        return end(commands);
    }

    /// Takes the shared buffer over from CUDA, copies it to a slot of the results, and hands it back.
    vk::Dispatchable copy_to_slot(std::uint32_t slot) {
        const vk::Dispatchable commands = device_.begin_commands();
        barrier(commands, vk::stage_top, vk::stage_transfer,
                {.destination_access = vk::access_transfer_read,
                 .source_family = vk::external_family,
                 .destination_family = device_.family(),
                 .buffer = shared_});
        const vk::BufferCopy copied{0, slot * size, size};
        device_.call<void(vk::Dispatchable, vk::Handle, vk::Handle, std::uint32_t, const vk::BufferCopy*)>("vkCmdCopyBuffer")(
            commands, shared_, results_, 1, &copied);
        barrier(commands, vk::stage_transfer, vk::stage_host,
                {.source_access = vk::access_transfer_write, .destination_access = vk::access_host_read, .buffer = results_});
        release(commands, vk::access_transfer_read);
        return end(commands);
    }

private:
    void barrier(vk::Dispatchable commands, std::uint32_t from, std::uint32_t to, const vk::BufferMemoryBarrier& barrier) {
        device_.call<void(vk::Dispatchable, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, const void*,
                          std::uint32_t, const vk::BufferMemoryBarrier*, std::uint32_t, const void*)>("vkCmdPipelineBarrier")(
            commands, from, to, 0, 0, nullptr, 1, &barrier, 0, nullptr);
    }
    void release(vk::Dispatchable commands, std::uint32_t access) {
        barrier(commands, vk::stage_transfer, vk::stage_bottom,
                {.source_access = access,
                 .source_family = device_.family(),
                 .destination_family = vk::external_family,
                 .buffer = shared_});
    }
    vk::Dispatchable end(vk::Dispatchable commands) {
        vk::check(device_.call<vk::Result(vk::Dispatchable)>("vkEndCommandBuffer")(commands), "vkEndCommandBuffer");
        return commands;
    }

    vk::Device& device_;
    vk::Handle shared_;
    vk::Handle results_;
};

/// A semaphore of a submission; the value is 0 for a binary one.
struct Point {
    vk::Handle semaphore = 0;
    std::uint64_t value = 0;
};

// Submits commands that wait for a semaphore and signal another; either may be missing.
void submit(const vk::Device& device, vk::Dispatchable commands, Point wait, Point signal, vk::Handle fence = 0) {
    const std::uint32_t stage = vk::stage_top | vk::stage_transfer;
    const vk::TimelineSemaphoreSubmitInfo values{.wait_count = wait.semaphore != 0,
                                                 .wait_values = &wait.value,
                                                 .signal_count = signal.semaphore != 0,
                                                 .signal_values = &signal.value};
    const vk::SubmitInfo info{.next = &values,
                              .wait_count = values.wait_count,
                              .waits = &wait.semaphore,
                              .wait_stages = &stage,
                              .command_count = 1,
                              .commands = &commands,
                              .signal_count = values.signal_count,
                              .signals = &signal.semaphore};
    vk::check(device.call<vk::Result(vk::Dispatchable, std::uint32_t, const vk::SubmitInfo*, vk::Handle)>("vkQueueSubmit")(
                  device.queue(), 1, &info, fence),
              "vkQueueSubmit");
}

void wait_for(const vk::Device& device, vk::Handle fence) {
    constexpr std::uint64_t limit = 20'000'000'000;  // 20 s in nanoseconds
    const vk::Result result =
        device.call<vk::Result(vk::Dispatchable, std::uint32_t, const vk::Handle*, std::uint32_t, std::uint64_t)>(
            "vkWaitForFences")(device.handle(), 1, &fence, 1, limit);
    if (result != 0)
        throw std::runtime_error("the work of Vulkan did not end: vkWaitForFences returned " + std::to_string(result));
}

ExternalSemaphore import_semaphore(Device device, const vk::Device& vulkan, vk::Handle semaphore, ExternalSemaphoreKind kind) {
    return ExternalSemaphore(device, FileDescriptor::from_native_handle(vulkan.descriptor_of_semaphore(semaphore)), kind);
}

// Returns the number of wrong elements in a slot that shows the buffer after the kernel has run `changes` times.
std::size_t wrong_elements(const vk::Buffer& results, std::uint32_t slot, std::uint32_t changes) {
    const std::uint32_t* const values = static_cast<const std::uint32_t*>(results.data) + std::size_t{slot} * n;
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        std::uint32_t expected = pattern;
        for (std::uint32_t time = 0; time < changes; ++time) expected = change(expected, i);
        wrong += values[i] != expected;
    }
    return wrong;
}

int vulkan_handshake() {
    const Device device;
    std::string why;
    const auto vulkan = vk::Device::open(device.uuid(), why);
    if (vulkan == nullptr) return example::skip(why + ".");
    std::printf("CUDA: %s, Vulkan: %s\n", device.name().c_str(), vulkan->name().c_str());

    const Stream stream(device);
    Program program(source, {.name = "change.cu", .arch = "sm_" + device.arch()});
    const KernelFunction<void(std::uint32_t*, std::uint32_t)> kernel(program.compile(CodeType::ptx).kernel("change"), device);
    const LaunchConfig config{.grid = blocks_for(n, 256), .block = 256};

    // Vulkan allocates, CUDA maps. The import owns the descriptor.
    const vk::Buffer shared = vulkan->create_shared_buffer(size);
    const vk::Buffer results = vulkan->create_host_buffer((rounds + 1) * size);
    const ExternalMemory memory(device, FileDescriptor::from_native_handle(vulkan->descriptor_of_memory(shared.memory)),
                                shared.memory_size, {.dedicated = true});
    Buffer buffer = memory.map_buffer(stream, 0, size);
    Commands commands(*vulkan, shared.buffer, results.buffer);

    // Binary semaphores: Vulkan fills, CUDA changes, Vulkan copies.
    const vk::Handle filled = vulkan->create_semaphore(false), changed = vulkan->create_semaphore(false);
    const ExternalSemaphore cuda_filled = import_semaphore(device, *vulkan, filled, ExternalSemaphoreKind::binary);
    const ExternalSemaphore cuda_changed = import_semaphore(device, *vulkan, changed, ExternalSemaphoreKind::binary);
    const vk::Handle copied = vulkan->create_fence();
    submit(*vulkan, commands.fill(), {}, {filled});
    cuda_filled.wait(stream);
    kernel(stream, config, buffer, n);
    cuda_changed.signal(stream);
    submit(*vulkan, commands.copy_to_slot(0), {changed}, {}, copied);
    wait_for(*vulkan, copied);
    std::size_t wrong = wrong_elements(results, 0, 1);
    std::printf("binary semaphores: %zu of %u elements are wrong\n", wrong, n);

    // A timeline: in each round, CUDA changes the buffer and signals an even value; Vulkan copies it and signals an odd one.
    const vk::Handle timeline = vulkan->create_semaphore(true);
    const ExternalSemaphore cuda_timeline = import_semaphore(device, *vulkan, timeline, ExternalSemaphoreKind::timeline);
    // The second half of the rounds are launches of a graph, whose values each round replaces.
    const GraphDefinition definition(device);
    const ExternalSemaphoreWaitNode wait = definition.wait_semaphores({{cuda_timeline, 1}});
    const ExternalSemaphoreSignalNode signal = wait.launch(config, kernel, buffer, n).signal_semaphores({{cuda_timeline, 2}});
    const Graph graph = definition.instantiate();
    const vk::Handle finished = vulkan->create_fence();
    for (std::uint32_t round = 1; round <= rounds; ++round) {
        if (round <= rounds / 2) {
            if (round > 1) cuda_timeline.wait(stream, 2 * round - 1);
            kernel(stream, config, buffer, n);
            cuda_timeline.signal(stream, 2 * round);
        } else {
            graph[wait].update({{cuda_timeline, 2 * round - 1}});
            graph[signal].update({{cuda_timeline, 2 * round}});
            graph.launch(stream);
        }
        submit(*vulkan, commands.copy_to_slot(round), {timeline, 2 * round}, {timeline, 2 * round + 1},
               round == rounds ? finished : 0);
    }
    wait_for(*vulkan, finished);
    for (std::uint32_t round = 1; round <= rounds; ++round) wrong += wrong_elements(results, round, round + 1);
    stream.synchronize();
    std::printf("timeline semaphore, %u rounds: %zu elements are wrong in total\n", rounds, wrong);
    return example::verdict(wrong == 0, "what Vulkan copied equals what the host computes, in every round");
}

}  // namespace

int main() {
    return example::run(vulkan_handshake);
}
