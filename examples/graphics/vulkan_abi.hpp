// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The part of Vulkan's binary interface that vulkan_handshake uses, for 64-bit systems: the example needs no headers of Vulkan.
/// Names of members are shortened. Every structure with a `type` begins with the type and the next structure of its chain.
namespace vk {

using Dispatchable = struct Opaque*;  ///< a handle of an instance, a physical device, a device, a queue or a command buffer
using Handle = std::uint64_t;         ///< a handle of any other object
using Bytes = std::uint64_t;
using Result = std::int32_t;  ///< 0 is success, a negative number a failure

constexpr std::uint32_t version_1_2 = 1u << 22 | 2u << 12;
constexpr std::uint32_t external_family = ~1u;  ///< the owner of a buffer that another interface uses
constexpr std::uint32_t opaque_descriptor = 1;  ///< type of exported memory and semaphores
constexpr Bytes whole_size = ~Bytes{0};

enum StructureType : std::uint32_t {
    application_info = 0,
    instance_create_info = 1,
    device_queue_create_info = 2,
    device_create_info = 3,
    submit_info = 4,
    memory_allocate_info = 5,
    fence_create_info = 8,
    semaphore_create_info = 9,
    buffer_create_info = 12,
    command_pool_create_info = 39,
    command_buffer_allocate_info = 40,
    command_buffer_begin_info = 42,
    buffer_memory_barrier = 44,
    physical_device_properties_2 = 1000059001,
    physical_device_id_properties = 1000071004,
    external_memory_buffer_create_info = 1000072000,
    export_memory_allocate_info = 1000072002,
    memory_get_fd_info = 1000074002,
    export_semaphore_create_info = 1000077000,
    semaphore_get_fd_info = 1000079001,
    memory_dedicated_allocate_info = 1000127001,
    physical_device_timeline_semaphore_features = 1000207000,
    semaphore_type_create_info = 1000207002,
    timeline_semaphore_submit_info = 1000207003,
};

// Bits of queues, memory, buffers, accesses and stages.
constexpr std::uint32_t queue_graphics = 1, queue_compute = 2, queue_transfer = 4;
constexpr std::uint32_t memory_device_local = 1, memory_host_visible = 2, memory_host_coherent = 4;
constexpr std::uint32_t usage_transfer_source = 1, usage_transfer_destination = 2;
constexpr std::uint32_t access_transfer_read = 0x800, access_transfer_write = 0x1000, access_host_read = 0x2000;
constexpr std::uint32_t stage_top = 1, stage_transfer = 0x1000, stage_bottom = 0x2000, stage_host = 0x4000;
constexpr std::uint32_t ignored_family = ~0u;

struct ApplicationInfo {
    StructureType type = application_info;
    const void* next = nullptr;
    const char* name = nullptr;
    std::uint32_t version = 0;
    const char* engine = nullptr;
    std::uint32_t engine_version = 0;
    std::uint32_t api_version = version_1_2;
};

struct InstanceCreateInfo {
    StructureType type = instance_create_info;
    const void* next = nullptr;
    std::uint32_t flags = 0;
    const ApplicationInfo* application = nullptr;
    std::uint32_t layer_count = 0;
    const char* const* layers = nullptr;
    std::uint32_t extension_count = 0;
    const char* const* extensions = nullptr;
};

struct PhysicalDeviceProperties {
    std::uint32_t api_version, driver_version, vendor, device, kind;
    char name[256];
    std::uint8_t cache_uuid[16];
    alignas(8) std::uint8_t limits[504];
    std::uint32_t sparse[5];
};

struct PhysicalDeviceIdProperties {
    StructureType type = physical_device_id_properties;
    void* next = nullptr;
    std::uint8_t device_uuid[16] = {};
    std::uint8_t driver_uuid[16] = {};
    std::uint8_t luid[8] = {};
    std::uint32_t node_mask = 0;
    std::uint32_t has_luid = 0;
};

struct PhysicalDeviceProperties2 {
    StructureType type = physical_device_properties_2;
    void* next = nullptr;
    PhysicalDeviceProperties properties = {};
};

struct ExtensionProperties {
    char name[256];
    std::uint32_t version;
};

struct QueueFamilyProperties {
    std::uint32_t flags, count, timestamp_bits, granularity[3];
};

struct PhysicalDeviceMemoryProperties {
    std::uint32_t type_count;
    struct {
        std::uint32_t flags, heap;
    } types[32];
    std::uint32_t heap_count;
    struct {
        Bytes size;
        std::uint32_t flags;
    } heaps[16];
};

struct TimelineSemaphoreFeatures {
    StructureType type = physical_device_timeline_semaphore_features;
    void* next = nullptr;
    std::uint32_t is_enabled = 1;
};

struct DeviceQueueCreateInfo {
    StructureType type = device_queue_create_info;
    const void* next = nullptr;
    std::uint32_t flags = 0;
    std::uint32_t family = 0;
    std::uint32_t count = 1;
    const float* priorities = nullptr;
};

struct DeviceCreateInfo {
    StructureType type = device_create_info;
    const void* next = nullptr;
    std::uint32_t flags = 0;
    std::uint32_t queue_count = 0;
    const DeviceQueueCreateInfo* queues = nullptr;
    std::uint32_t layer_count = 0;
    const char* const* layers = nullptr;
    std::uint32_t extension_count = 0;
    const char* const* extensions = nullptr;
    const void* features = nullptr;
};

struct BufferCreateInfo {
    StructureType type = buffer_create_info;
    const void* next = nullptr;
    std::uint32_t flags = 0;
    Bytes size = 0;
    std::uint32_t usage = usage_transfer_source | usage_transfer_destination;
    std::uint32_t sharing = 0;
    std::uint32_t family_count = 0;
    const std::uint32_t* families = nullptr;
};

/// Types of handles, for the creation of buffers, memory and semaphores that are exported.
struct HandleTypes {
    StructureType type;
    const void* next = nullptr;
    std::uint32_t types = opaque_descriptor;
};

struct MemoryRequirements {
    Bytes size, alignment;
    std::uint32_t types;  ///< one bit for each suitable type of memory
};

struct MemoryDedicatedAllocateInfo {
    StructureType type = memory_dedicated_allocate_info;
    const void* next = nullptr;
    Handle image = 0;
    Handle buffer = 0;
};

struct MemoryAllocateInfo {
    StructureType type = memory_allocate_info;
    const void* next = nullptr;
    Bytes size = 0;
    std::uint32_t memory_type = 0;
};

/// The request for a descriptor of memory or of a semaphore.
struct GetDescriptorInfo {
    StructureType type;
    const void* next = nullptr;
    Handle object = 0;
    std::uint32_t handle_type = opaque_descriptor;
};

/// The creation of a fence or a semaphore.
struct CreateInfo {
    StructureType type;
    const void* next = nullptr;
    std::uint32_t flags = 0;
};

struct SemaphoreTypeCreateInfo {
    StructureType type = semaphore_type_create_info;
    const void* next = nullptr;
    std::uint32_t is_timeline = 1;
    std::uint64_t initial_value = 0;
};

struct CommandPoolCreateInfo {
    StructureType type = command_pool_create_info;
    const void* next = nullptr;
    std::uint32_t flags = 0;
    std::uint32_t family = 0;
};

struct CommandBufferAllocateInfo {
    StructureType type = command_buffer_allocate_info;
    const void* next = nullptr;
    Handle pool = 0;
    std::uint32_t level = 0;
    std::uint32_t count = 1;
};

struct CommandBufferBeginInfo {
    StructureType type = command_buffer_begin_info;
    const void* next = nullptr;
    std::uint32_t flags = 1;  // submitted once
    const void* inheritance = nullptr;
};

struct BufferMemoryBarrier {
    StructureType type = buffer_memory_barrier;
    const void* next = nullptr;
    std::uint32_t source_access = 0;
    std::uint32_t destination_access = 0;
    std::uint32_t source_family = ignored_family;
    std::uint32_t destination_family = ignored_family;
    Handle buffer = 0;
    Bytes offset = 0;
    Bytes size = whole_size;
};

struct BufferCopy {
    Bytes source_offset, destination_offset, size;
};

struct TimelineSemaphoreSubmitInfo {
    StructureType type = timeline_semaphore_submit_info;
    const void* next = nullptr;
    std::uint32_t wait_count = 0;
    const std::uint64_t* wait_values = nullptr;
    std::uint32_t signal_count = 0;
    const std::uint64_t* signal_values = nullptr;
};

struct SubmitInfo {
    StructureType type = submit_info;
    const void* next = nullptr;
    std::uint32_t wait_count = 0;
    const Handle* waits = nullptr;
    const std::uint32_t* wait_stages = nullptr;
    std::uint32_t command_count = 0;
    const Dispatchable* commands = nullptr;
    std::uint32_t signal_count = 0;
    const Handle* signals = nullptr;
};

}  // namespace vk
