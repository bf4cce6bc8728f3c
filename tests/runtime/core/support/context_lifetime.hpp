// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/array/array.hpp>
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/primary_context.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace cubind::testing {

using namespace cubind;

/// One object of each class in a context.
struct ObjectsOfAContext {
    explicit ObjectsOfAContext(ContextRef context)
        : scope(std::in_place, context),
          stream(context),
          foreign(check(driver::cuStreamCreate(0))),
          event(stream.record()),
          graph(GraphBuilder(Device()).begin_building().end_building().complete()),
          building(Device()),
          pool(Device(), {.max_size = 1024}),
          of_stream(Device().allocate(stream, 16)),
          of_foreign_stream(Device().allocate(foreign, 16)),
          of_default_stream(Device().allocate(StreamRef::legacy_default(), 16)),
          of_thread(Device().allocate(StreamRef::per_thread_default(), 16)),
          of_pool(pool.allocate(stream, 16)),
          pinned(LegacyPinnedMemoryResource().allocate(stream, 16)),
          array(Device(), {.width = 16}) {
        building.begin_building();
        graph.launch(stream);
        graph.launch(foreign);
        retained = detail::share(of_stream);
        scope.reset();
    }

    std::optional<ScopedContext> scope;
    Stream stream;
    StreamRef foreign;
    Event event;
    Graph graph;
    GraphBuilder building;
    DeviceMemoryResource pool;
    Buffer of_stream, of_foreign_stream, of_default_stream, of_thread, of_pool, pinned;
    Array array;
    std::shared_ptr<const void> retained;
};

/// Waits for work in the primary context of device 0, which may free memory, and returns the allocated bytes of its default pool.
inline std::uint64_t used_by_default_pool() {
    Device(0).primary_context().synchronize();
    return DeviceMemoryResource(Device(0)).attributes().used_mem_current();
}

/// Uses every part of a device that depends on its primary context.
inline void expect_usable(Device device) {
    const Stream stream(device);
    const Event event = stream.record();
    Buffer buffer = device.allocate(stream, 16);
    fill(stream, buffer, 0);
    buffer.close();
    (void)LegacyPinnedMemoryResource().allocate(stream, 16);
    device.set_limit(driver::CU_LIMIT_STACK_SIZE, 1024);
    EXPECT_LE(device.memory_info().free, device.memory_info().total);
    event.synchronize();
    device.synchronize();
    EXPECT_EQ(device.primary_context().device(), device);
    (void)device.create_graph_builder();
}

/// Resets the primary context of the device, with and without a current context.
inline void expect_usable_after_resets(Device device) {
    for (const bool is_current : {false, true}) {
        if (is_current) device.set_current();
        expect_usable(device);
        check(driver::cuDevicePrimaryCtxReset(device.native_handle()));
        expect_usable(device);
        EXPECT_NE(driver::cuDevicePrimaryCtxGetState(device.native_handle()).value2, 0);
        check(driver::cuDevicePrimaryCtxReset(device.native_handle()));
        (void)device.set_current();
        expect_usable(device);
    }
}

}  // namespace cubind::testing
