// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/conditional.hpp>
#include <cubind/sim/options.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph_store.hpp"
#include "machine/device_graph.hpp"
#include "machine/process_lock.hpp"
#include "objects/array/array.hpp"
#include "objects/context/context.hpp"
#include "objects/device/async_notification.hpp"
#include "objects/device/device.hpp"
#include "objects/event/event.hpp"
#include "objects/green/green_context.hpp"
#include "objects/memory/memory_map.hpp"
#include "objects/memory/opened_memory.hpp"
#include "objects/module/library.hpp"
#include "objects/module/linker.hpp"
#include "objects/pool/default_pools.hpp"
#include "objects/pool/pool.hpp"
#include "objects/stream/stream.hpp"
#include "objects/texture/object.hpp"
#include "objects/virtual/external_memory.hpp"
#include "objects/virtual/external_semaphore.hpp"
#include "objects/virtual/kernel_heaps.hpp"
#include "objects/virtual/physical_handles.hpp"
#include "objects/virtual/virtual_memory.hpp"
#include "support/registry.hpp"
#include "work/kernel/launch.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The whole state of the simulation, from install() to uninstall().
struct Machine {
    /// `own_problem` is why the options could not be read, or empty: cuInit() fails.
    explicit Machine(const Options& own_options, std::string own_problem = {});

    /// Makes a context unusable, waits for all of its work, and destroys its streams, events, modules and memory. Kernels that
    /// run for too long are interrupted, so that an endless one does not hang the program.
    void shut_down(Context& context);
    /// Returns how long kernels may run after their context was destroyed.
    std::chrono::seconds time_of_kernels() const noexcept { return std::chrono::seconds(options.shutdown_seconds); }

    /// Returns the device with this number in the machine, visible or not, or null.
    const Device* find_installed(int index) const noexcept;
    /// Returns the driver and the devices that loaded code must suit.
    CodeTarget code_target() const noexcept { return {release, 10 * options.major + options.minor}; }

    const unsigned long serial;  ///< distinguishes the machines of one process
    const Options options;
    const std::string problem;  ///< of the options, see the constructor
    const int release;          ///< 1000 * major + 10 * minor
    std::atomic<bool> initialized{false};
    ProcessLock process_lock;
    bool is_unusable = false;  ///< whether fork() copied it after cuInit(), see Options::allows_fork: cuInit() fails
    driver::CUresult selection =
        driver::CUresult{};  ///< CUDA_ERROR_INVALID_DEVICE if CUDA_VISIBLE_DEVICES names a device twice: cuInit() fails
    Devices devices;         ///< that are visible
    Devices hidden_devices;
    MemoryMap memory;
    OpenedMemory opened_memory;
    KernelHeaps heaps{memory, opened_memory};
    PhysicalHandles physical_handles;
    VirtualMemory addresses{memory, devices};
    GlobalCoredumpSettings coredump;
    Registry<driver::CUcoredumpCallbackHandle, CoredumpCallback> coredump_callbacks;
    Registry<driver::CUasyncCallbackHandle, AsyncNotification> async_notifications;
    Registry<driver::CUcontext, Context> contexts;  ///< also finds the primary context by a green context's handle as a context
    Registry<driver::CUgreenCtx, GreenContext> green_contexts;
    Registry<driver::CUdevResourceDesc, ResourceDescriptor> resource_descriptors;
    Registry<driver::CUstream, Stream> streams;
    Registry<driver::CUevent, Event> events;
    Registry<driver::CUmemoryPool, Pool> pools;
    DefaultPools default_pools{pools, devices};
    Registry<driver::CUexternalMemory, ExternalMemory> external_memories;
    Registry<driver::CUexternalSemaphore, ExternalSemaphore> external_semaphores;
    Registry<driver::CUarray, Array> arrays;
    Registry<driver::CUmipmappedArray, MipmappedArray> mipmapped_arrays;
    Registry<driver::CUtexObject, TextureObject> textures;
    Registry<driver::CUsurfObject, SurfaceObject> surfaces;
    CodeRegistry code;
    Registry<driver::CUlinkState, Linker> linkers;
    KernelBodies bodies;
    LaunchLog launches;
    GraphStore graph_store{memory};
    const KernelObjects kernel_objects{{memory, arrays, mipmapped_arrays}, textures, surfaces};
    /// The state that launches use.
    const LaunchServices launch_services{release,        bodies, launches, options,         heaps,
                                         kernel_objects, code,   devices,  set_conditional, plan_for_device};
};

/// Returns the machine that driver calls act on. In the drop-in library the first call creates it from the environment.
Machine& machine();

/// Ends the work of the current machine, if there is one, and replaces it. If `next` is null, no machine is current afterwards.
/// An unusable machine is not destroyed, because the threads of its work do not exist.
void replace_machine(std::unique_ptr<Machine> next);

/// Returns the device of this ordinal, or null if there is none.
Device* find_device(driver::CUdevice ordinal) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
