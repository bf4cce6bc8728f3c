// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// The high-level layer: <cubind/check.hpp> and every class, but for headers that take long to compile or that few files need.
/// Each of those states that at its beginning, such as <cubind/core/stream/completion.hpp> (coroutines) and
/// <cubind/core/stream/future.hpp>. The header of a topic, such as <cubind/core/memory.hpp>, has all of its classes. The header
/// of a single class is cheaper to compile.

#include <cubind/check.hpp>
#include <cubind/core/array/array.hpp>
#include <cubind/core/array/array_format.hpp>
#include <cubind/core/array/data_type.hpp>
#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/core/array/surface.hpp>
#include <cubind/core/array/tensor_map.hpp>
#include <cubind/core/array/texture.hpp>
#include <cubind/core/array/texture_options.hpp>
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/graph/allocation_node.hpp>
#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/graph/graph.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_condition.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/graph/graph_memory_resource.hpp>
#include <cubind/core/graph/graph_node.hpp>
#include <cubind/core/graph/graph_position.hpp>
#include <cubind/core/launch/dim3.hpp>
#include <cubind/core/launch/global.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/launch/occupancy.hpp>
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/core/memory/allocation_type.hpp>
#include <cubind/core/memory/arena_memory_resource.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/bytes.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/copy_options.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/core/memory/extent.hpp>
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/host_allocator.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/memory_adaptors.hpp>
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/pool_memory_resource.hpp>
#include <cubind/core/memory/registered_host_memory.hpp>
#include <cubind/core/memory/sharing_handle.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/core/program/evaluated_constant.hpp>
#include <cubind/core/program/file_program_cache.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/program/program_cache.hpp>
#include <cubind/core/program/program_cache_key.hpp>
#include <cubind/core/program/program_options.hpp>
#include <cubind/core/stream/device_resources.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/green_context.hpp>
#include <cubind/core/stream/ipc_event_descriptor.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/core/strided/dimensions.hpp>
#include <cubind/core/strided/fill.hpp>
#include <cubind/core/strided/strided_span.hpp>
#include <cubind/core/strided/strided_view.hpp>
