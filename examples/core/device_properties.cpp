// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Prints the properties of the GPUs of this machine. Device has the data that identifies a GPU. properties() has every
// attribute of the driver under its name, in the driver's units.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

void print(const char* name, const std::string& value) {
    std::printf("  %-32s %s\n", name, value.c_str());
}

void print(const char* name, bool value) {
    print(name, std::string(value ? "yes" : "no"));
}

void print(const char* name, int value, const char* unit = "") {
    print(name, std::to_string(value) + (*unit == '\0' ? "" : " ") + unit);
}

std::string gibibytes(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
    return text;
}

std::string extents(int x, int y, int z) {
    return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z);
}

void report(Device device) {
    const DeviceProperties properties = device.properties();
    const MemoryInfo memory = device.memory_info();

    std::printf("Device %d: %s\n", device.ordinal(), device.name().c_str());
    print("UUID", device.uuid());
    print("PCI bus", device.pci_bus_id());
    print("architecture", "sm_" + device.arch());
    print("memory", gibibytes(memory.total) + ", of which " + gibibytes(memory.free) + " are free");
    print("memory bus", properties.global_memory_bus_width(), "bits");
    print("L2 cache", properties.l2_cache_size() >> 10, "KiB");
    print("clock", properties.clock_rate() / 1000, "MHz");
    print("multiprocessors", properties.multiprocessor_count());
    print("threads per multiprocessor", properties.max_threads_per_multiprocessor());
    print("threads per block", properties.max_threads_per_block());
    print("largest block", extents(properties.max_block_dim_x(), properties.max_block_dim_y(), properties.max_block_dim_z()));
    print("largest grid", extents(properties.max_grid_dim_x(), properties.max_grid_dim_y(), properties.max_grid_dim_z()));
    print("shared memory per block", properties.max_shared_memory_per_block() >> 10, "KiB");
    print("  maximum with opt-in", properties.max_shared_memory_per_block_optin() >> 10, "KiB");
    print("registers per block", properties.max_registers_per_block());
    print("copy engines", properties.async_engine_count());
    print("memory pools", properties.memory_pools_supported());
    print("concurrent managed access", properties.concurrent_managed_access());
    print("cooperative launch", properties.cooperative_launch());
    print("thread block clusters", properties.cluster_launch());
}

// Returns whether other functions report the same properties.
bool agrees(Device device) {
    const DeviceProperties properties = device.properties();
    const ComputeCapability capability = device.compute_capability();
    return Device::from_pci_bus_id(device.pci_bus_id()) == device && Device(device.ordinal()) == device &&
           properties.compute_capability_major() == capability.major &&
           properties.compute_capability_minor() == capability.minor &&
           device.arch() == std::to_string(capability.major) + std::to_string(capability.minor) &&
           properties.attribute(driver::CU_DEVICE_ATTRIBUTE_WARP_SIZE) == properties.warp_size() &&
           device.memory_info().free <= device.memory_info().total;
}

int device_properties() {
    const std::vector<Device> devices = Device::all();
    bool right = static_cast<int>(devices.size()) == Device::count();
    for (const Device device : devices) {
        report(device);
        right = right && agrees(device);
    }
    for (const Device device : devices) {
        for (const Device peer : devices) {
            if (peer == device) continue;
            std::printf("Device %d %s access the memory of device %d.\n", device.ordinal(),
                        device.can_access_peer(peer) ? "can" : "cannot", peer.ordinal());
        }
    }
    return example::verdict(right, "PCI bus and ordinal identify each device, and all functions report the same properties");
}

}  // namespace

int main() {
    return example::run(device_properties);
}
