// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Includes the high-level layer: <cubind/check.hpp> and every class. The header of a single class is cheaper to compile. Headers
/// that take long to compile or that few files need are left out. Each of them states that at its beginning, such as
/// <cubind/core/completion.hpp> (coroutines), <cubind/core/future.hpp> and <cubind/core/external_memory.hpp>.

#include <cubind/check.hpp>
#include <cubind/core/array.hpp>
#include <cubind/core/array_format.hpp>
#include <cubind/core/buffer.hpp>
#include <cubind/core/bytes.hpp>
#include <cubind/core/cleanup.hpp>
#include <cubind/core/context.hpp>
#include <cubind/core/copy.hpp>
#include <cubind/core/copy_batch.hpp>
#include <cubind/core/copy_options.hpp>
#include <cubind/core/data_type.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/device_memory_resource.hpp>
#include <cubind/core/device_properties.hpp>
#include <cubind/core/device_resources.hpp>
#include <cubind/core/dim3.hpp>
#include <cubind/core/dimensions.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/executable_node.hpp>
#include <cubind/core/exported_memory.hpp>
#include <cubind/core/extent.hpp>
#include <cubind/core/file_descriptor.hpp>
#include <cubind/core/file_program_cache.hpp>
#include <cubind/core/fill.hpp>
#include <cubind/core/global.hpp>
#include <cubind/core/graph.hpp>
#include <cubind/core/graph_builder.hpp>
#include <cubind/core/graph_condition.hpp>
#include <cubind/core/graph_definition.hpp>
#include <cubind/core/graph_memory_resource.hpp>
#include <cubind/core/graph_node.hpp>
#include <cubind/core/graph_position.hpp>
#include <cubind/core/green_context.hpp>
#include <cubind/core/host_allocator.hpp>
#include <cubind/core/in_memory_program_cache.hpp>
#include <cubind/core/ipc.hpp>
#include <cubind/core/kernel.hpp>
#include <cubind/core/kernel_attributes.hpp>
#include <cubind/core/kernel_function.hpp>
#include <cubind/core/launch.hpp>
#include <cubind/core/launch_config.hpp>
#include <cubind/core/linker.hpp>
#include <cubind/core/linker_options.hpp>
#include <cubind/core/managed_memory.hpp>
#include <cubind/core/managed_memory_resource.hpp>
#include <cubind/core/memory_adaptors.hpp>
#include <cubind/core/memory_location.hpp>
#include <cubind/core/memory_resource.hpp>
#include <cubind/core/mipmapped_array.hpp>
#include <cubind/core/object_code.hpp>
#include <cubind/core/occupancy.hpp>
#include <cubind/core/pinned_memory_resource.hpp>
#include <cubind/core/pitched_buffer.hpp>
#include <cubind/core/pointer_attributes.hpp>
#include <cubind/core/pool_memory_resource.hpp>
#include <cubind/core/program.hpp>
#include <cubind/core/program_cache.hpp>
#include <cubind/core/program_cache_key.hpp>
#include <cubind/core/program_options.hpp>
#include <cubind/core/registered_host_memory.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/core/strided_span.hpp>
#include <cubind/core/strided_view.hpp>
#include <cubind/core/surface.hpp>
#include <cubind/core/tensor_map.hpp>
#include <cubind/core/texture.hpp>
#include <cubind/core/texture_options.hpp>
#include <cubind/core/typed_buffer.hpp>
#include <cubind/core/virtual_buffer.hpp>
#include <cubind/core/virtual_memory_resource.hpp>
