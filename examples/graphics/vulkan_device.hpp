// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A device of Vulkan with one queue, and its objects that vulkan_handshake exports to CUDA. Vulkan is loaded at run time.

#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "vulkan_abi.hpp"

namespace vk {

inline void check(Result result, const char* function) {
    if (result < 0) throw std::runtime_error(std::string(function) + " returned " + std::to_string(result));
}

/// Returns the bytes as Device::uuid() of cubind writes them.
inline std::string uuid_text(const std::uint8_t (&bytes)[16]) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
        text.push_back(digits[bytes[i] >> 4]);
        text.push_back(digits[bytes[i] & 15]);
    }
    return text;
}

/// A buffer and its memory.
struct Buffer {
    Handle buffer = 0;
    Handle memory = 0;
    Bytes memory_size = 0;  ///< bytes of the allocation, which can be more than those of the buffer
    void* data = nullptr;   ///< the address for the host, if the memory is visible to it
};

class Device {
public:
    /// Opens the device with this UUID. Returns null, and writes the reason to `why`, if Vulkan or the device does not exist, or
    /// if the device cannot export memory and semaphores.
    static std::unique_ptr<Device> open(const std::string& uuid, std::string& why);

    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    /// Waits for the device, and destroys its objects in reverse order of their creation.
    ~Device() {
        if (device_ != nullptr) (void)call<Result(Dispatchable)>("vkDeviceWaitIdle")(device_);
        while (!destroyers_.empty()) {
            destroyers_.back()();
            destroyers_.pop_back();
        }
    }

    const std::string& name() const noexcept { return name_; }
    Dispatchable handle() const noexcept { return device_; }
    Dispatchable queue() const noexcept { return queue_; }
    std::uint32_t family() const noexcept { return family_; }

    /// Returns a function of the device.
    template <class Signature>
    Signature* call(const char* function) const {
        void* const found = get_device_function_(device_, function);
        if (found == nullptr) throw std::runtime_error(std::string("Vulkan has no function ") + function);
        return reinterpret_cast<Signature*>(found);
    }

    /// Creates a buffer of device memory that can be exported, in an allocation of its own.
    Buffer create_shared_buffer(Bytes size) { return create_buffer(size, memory_device_local, true); }
    /// Creates a buffer that the host reads.
    Buffer create_host_buffer(Bytes size) { return create_buffer(size, memory_host_visible | memory_host_coherent, false); }
    /// Creates a semaphore that can be exported.
    Handle create_semaphore(bool is_timeline);
    Handle create_fence() { return create<CreateInfo>("vkCreateFence", "vkDestroyFence", {fence_create_info}); }
    /// Returns a new command buffer that records.
    Dispatchable begin_commands();

    /// Returns a new descriptor of the memory or of the semaphore, which the caller owns.
    int descriptor_of_memory(Handle memory) const {
        return descriptor("vkGetMemoryFdKHR", {memory_get_fd_info, nullptr, memory});
    }
    int descriptor_of_semaphore(Handle semaphore) const {
        return descriptor("vkGetSemaphoreFdKHR", {semaphore_get_fd_info, nullptr, semaphore});
    }

private:
    using GetFunction = void*(Dispatchable, const char*);

    Device() = default;

    template <class Info>
    Handle create(const char* creator, const char* destroyer, const Info& info) {
        Handle created = 0;
        check(call<Result(Dispatchable, const Info*, const void*, Handle*)>(creator)(device_, &info, nullptr, &created), creator);
        destroyers_.push_back(
            [this, destroyer, created] { call<void(Dispatchable, Handle, const void*)>(destroyer)(device_, created, nullptr); });
        return created;
    }
    template <class Signature>
    Signature* instance_call(const char* function) const {
        return reinterpret_cast<Signature*>(get_function_(instance_, function));
    }
    bool open_instance(std::string& why);
    bool select(const std::string& uuid, std::string& why);
    bool has_extensions(const std::vector<const char*>& names) const;
    void open_device(const std::vector<const char*>& extensions);
    Buffer create_buffer(Bytes size, std::uint32_t kind, bool is_shared);
    std::uint32_t memory_type(std::uint32_t suitable, std::uint32_t kind) const;
    int descriptor(const char* function, const GetDescriptorInfo& info) const {
        int created = -1;
        check(call<Result(Dispatchable, const GetDescriptorInfo*, int*)>(function)(device_, &info, &created), function);
        return created;
    }

    GetFunction* get_function_ = nullptr;
    GetFunction* get_device_function_ = nullptr;
    Dispatchable instance_ = nullptr, physical_ = nullptr, device_ = nullptr, queue_ = nullptr;
    std::uint32_t family_ = 0;
    Handle pool_ = 0;
    std::string name_;
    std::vector<std::function<void()>> destroyers_;
};

// ---- opening -------------------------------------------------------------------------------------------------------------

inline std::unique_ptr<Device> Device::open(const std::string& uuid, std::string& why) {
    std::unique_ptr<Device> opened(new Device);
    const std::vector<const char*> extensions{"VK_KHR_external_memory_fd", "VK_KHR_external_semaphore_fd"};
    if (!opened->open_instance(why) || !opened->select(uuid, why)) return nullptr;
    if (!opened->has_extensions(extensions)) {
        why = opened->name_ + " cannot export memory and semaphores as file descriptors";
        return nullptr;
    }
    opened->open_device(extensions);
    return opened;
}

inline bool Device::open_instance(std::string& why) {
    void* const library = dlopen("libvulkan.so.1", RTLD_NOW);  // never closed
    if (library == nullptr) {
        why = std::string("Vulkan cannot be loaded: ") + dlerror();
        return false;
    }
    get_function_ = reinterpret_cast<GetFunction*>(dlsym(library, "vkGetInstanceProcAddr"));
    const ApplicationInfo application{.name = "vulkan_handshake"};
    const InstanceCreateInfo info{.application = &application};
    const auto create = instance_call<Result(const InstanceCreateInfo*, const void*, Dispatchable*)>("vkCreateInstance");
    if (const Result result = create(&info, nullptr, &instance_); result < 0) {
        why = "vkCreateInstance returned " + std::to_string(result) + ": there is no driver for Vulkan";
        instance_ = nullptr;
        return false;
    }
    destroyers_.push_back([this] { instance_call<void(Dispatchable, const void*)>("vkDestroyInstance")(instance_, nullptr); });
    get_device_function_ = instance_call<GetFunction>("vkGetDeviceProcAddr");
    return true;
}

inline bool Device::select(const std::string& uuid, std::string& why) {
    const auto list = instance_call<Result(Dispatchable, std::uint32_t*, Dispatchable*)>("vkEnumeratePhysicalDevices");
    std::uint32_t count = 0;
    check(list(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<Dispatchable> devices(count);
    check(list(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
    const auto describe = instance_call<void(Dispatchable, PhysicalDeviceProperties2*)>("vkGetPhysicalDeviceProperties2");
    why = "Vulkan has no device with the UUID " + uuid + ":";
    for (const Dispatchable each : devices) {
        PhysicalDeviceIdProperties id;
        PhysicalDeviceProperties2 found{.next = &id};
        describe(each, &found);
        if (found.properties.api_version >= version_1_2 && uuid_text(id.device_uuid) == uuid) {
            physical_ = each;
            name_ = found.properties.name;
            return true;
        }
        why.append(" ").append(found.properties.name).append(" (").append(uuid_text(id.device_uuid)).append(")");
    }
    if (count == 0) why.append(" it has none");
    return false;
}

inline bool Device::has_extensions(const std::vector<const char*>& names) const {
    const auto list = instance_call<Result(Dispatchable, const char*, std::uint32_t*, ExtensionProperties*)>(
        "vkEnumerateDeviceExtensionProperties");
    std::uint32_t count = 0;
    check(list(physical_, nullptr, &count, nullptr), "vkEnumerateDeviceExtensionProperties");
    std::vector<ExtensionProperties> found(count);
    check(list(physical_, nullptr, &count, found.data()), "vkEnumerateDeviceExtensionProperties");
    std::size_t present = 0;
    for (const char* const name : names) {
        for (const ExtensionProperties& each : found) present += std::strcmp(each.name, name) == 0;
    }
    return present == names.size();
}

inline void Device::open_device(const std::vector<const char*>& extensions) {
    const auto list =
        instance_call<void(Dispatchable, std::uint32_t*, QueueFamilyProperties*)>("vkGetPhysicalDeviceQueueFamilyProperties");
    std::uint32_t count = 0;
    list(physical_, &count, nullptr);
    std::vector<QueueFamilyProperties> families(count);
    list(physical_, &count, families.data());
    while (family_ < count && (families[family_].flags & (queue_graphics | queue_compute | queue_transfer)) == 0) ++family_;
    if (family_ == count) throw std::runtime_error("the device of Vulkan has no queue that copies");

    const float priority = 1;
    const DeviceQueueCreateInfo queue{.family = family_, .priorities = &priority};
    const TimelineSemaphoreFeatures timeline;
    const DeviceCreateInfo info{.next = &timeline,
                                .queue_count = 1,
                                .queues = &queue,
                                .extension_count = static_cast<std::uint32_t>(extensions.size()),
                                .extensions = extensions.data()};
    const auto create_device =
        instance_call<Result(Dispatchable, const DeviceCreateInfo*, const void*, Dispatchable*)>("vkCreateDevice");
    check(create_device(physical_, &info, nullptr, &device_), "vkCreateDevice");
    destroyers_.push_back([this] { call<void(Dispatchable, const void*)>("vkDestroyDevice")(device_, nullptr); });
    call<void(Dispatchable, std::uint32_t, std::uint32_t, Dispatchable*)>("vkGetDeviceQueue")(device_, family_, 0, &queue_);
    pool_ = create<CommandPoolCreateInfo>("vkCreateCommandPool", "vkDestroyCommandPool", {.family = family_});
}

// ---- objects -------------------------------------------------------------------------------------------------------------

inline std::uint32_t Device::memory_type(std::uint32_t suitable, std::uint32_t kind) const {
    PhysicalDeviceMemoryProperties found{};
    instance_call<void(Dispatchable, PhysicalDeviceMemoryProperties*)>("vkGetPhysicalDeviceMemoryProperties")(physical_, &found);
    for (std::uint32_t i = 0; i < found.type_count; ++i) {
        if ((suitable >> i & 1) != 0 && (found.types[i].flags & kind) == kind) return i;
    }
    throw std::runtime_error("Vulkan has no suitable memory for a buffer");
}

inline Buffer Device::create_buffer(Bytes size, std::uint32_t kind, bool is_shared) {
    const HandleTypes external_buffer{external_memory_buffer_create_info};
    Buffer result;
    result.buffer = create<BufferCreateInfo>("vkCreateBuffer", "vkDestroyBuffer",
                                             {.next = is_shared ? &external_buffer : nullptr, .size = size});
    MemoryRequirements required{};
    call<void(Dispatchable, Handle, MemoryRequirements*)>("vkGetBufferMemoryRequirements")(device_, result.buffer, &required);
    result.memory_size = required.size;

    const MemoryDedicatedAllocateInfo dedicated{.buffer = result.buffer};
    const HandleTypes exported{export_memory_allocate_info, &dedicated};
    result.memory = create<MemoryAllocateInfo>(
        "vkAllocateMemory", "vkFreeMemory",
        {.next = is_shared ? &exported : nullptr, .size = required.size, .memory_type = memory_type(required.types, kind)});
    check(call<Result(Dispatchable, Handle, Handle, Bytes)>("vkBindBufferMemory")(device_, result.buffer, result.memory, 0),
          "vkBindBufferMemory");
    if ((kind & memory_host_visible) != 0) {
        check(call<Result(Dispatchable, Handle, Bytes, Bytes, std::uint32_t, void**)>("vkMapMemory")(device_, result.memory, 0,
                                                                                                     whole_size, 0, &result.data),
              "vkMapMemory");
    }
    return result;
}

inline Handle Device::create_semaphore(bool is_timeline) {
    const SemaphoreTypeCreateInfo timeline;
    const HandleTypes exported{export_semaphore_create_info, is_timeline ? &timeline : nullptr};
    return create<CreateInfo>("vkCreateSemaphore", "vkDestroySemaphore", {semaphore_create_info, &exported});
}

inline Dispatchable Device::begin_commands() {
    const CommandBufferAllocateInfo info{.pool = pool_};
    Dispatchable commands = nullptr;
    check(call<Result(Dispatchable, const CommandBufferAllocateInfo*, Dispatchable*)>("vkAllocateCommandBuffers")(device_, &info,
                                                                                                                  &commands),
          "vkAllocateCommandBuffers");
    const CommandBufferBeginInfo begin;
    check(call<Result(Dispatchable, const CommandBufferBeginInfo*)>("vkBeginCommandBuffer")(commands, &begin),
          "vkBeginCommandBuffer");
    return commands;
}

}  // namespace vk
