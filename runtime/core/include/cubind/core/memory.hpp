// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Buffers, memory resources, copies and fills: all of <cubind/core/memory/...>.

#include <cubind/core/memory/allocation_type.hpp>
#include <cubind/core/memory/arena_memory_resource.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/bytes.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/copy_options.hpp>
#include <cubind/core/memory/decompression.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/core/memory/extent.hpp>
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/host_allocator.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/logical_endpoint.hpp>
#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/memory_adaptors.hpp>
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/core/memory/memory_operation.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/memory/multicast_object.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>
#include <cubind/core/memory/pmr_memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/pool_memory_resource.hpp>
#include <cubind/core/memory/registered_host_memory.hpp>
#include <cubind/core/memory/sharing_handle.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
