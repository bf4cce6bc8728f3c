// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/options.hpp>

#include <atomic>
#include <memory>
#include <vector>

#include "array/array.hpp"
#include "context/context.hpp"
#include "device/device.hpp"
#include "event/event.hpp"
#include "graph/graph_store.hpp"
#include "kernel/bodies.hpp"
#include "kernel/launch_log.hpp"
#include "link/linker.hpp"
#include "memory/default_pools.hpp"
#include "memory/memory_map.hpp"
#include "memory/opened_memory.hpp"
#include "memory/pool.hpp"
#include "module/library.hpp"
#include "stream/stream.hpp"
#include "support/registry.hpp"
#include "texture/object.hpp"
#include "virtual/physical_handles.hpp"
#include "virtual/virtual_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The whole state of the simulation, from install() to uninstall().
struct Machine {
    explicit Machine(const Options& own_options);

    const unsigned long serial;  ///< distinguishes the machines of one process
    const Options options;
    const int release;  ///< 1000 * major + 10 * minor
    std::atomic<bool> initialized{false};
    std::vector<std::unique_ptr<Device>> devices;
    MemoryMap memory;
    PhysicalHandles physical_handles;
    VirtualMemory addresses;
    Registry<CUcontext, Context> contexts;
    Registry<CUstream, Stream> streams;
    Registry<CUevent, Event> events;
    Registry<CUmemoryPool, Pool> pools;
    DefaultPools default_pools;
    OpenedMemory opened_memory;
    Registry<CUarray, Array> arrays;
    Registry<CUmipmappedArray, MipmappedArray> mipmapped_arrays;
    Registry<CUtexObject, TextureObject> textures;
    Registry<CUsurfObject, SurfaceObject> surfaces;
    Registry<CUmodule, Module> modules;
    Registry<CUfunction, Function> functions;
    Registry<CUlibrary, Library> libraries;
    Registry<CUkernel, LibraryKernel> kernels;
    Registry<CUlinkState, Linker> linkers;
    KernelBodies bodies;
    LaunchLog launches;
    GraphStore graph_store;
};

/// Returns the machine that driver calls act on. In the drop-in library the first call creates it from the environment.
Machine& machine();

/// Ends the work of the current machine, if there is one, and replaces it. If `next` is null, no machine is current
/// afterwards.
void replace_machine(std::unique_ptr<Machine> next);

/// Returns the device of this ordinal, or null if there is none.
Device* find_device(CUdevice ordinal) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
