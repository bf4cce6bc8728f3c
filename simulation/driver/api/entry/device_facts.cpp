// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A symbol of libcuda.so.1 only: what the other simulated libraries of the process ask the driver. The driver API would require
// cuInit(), after which a program that forgets cuInit() itself would work.
#include "shared/device_facts.hpp"

#include <cstdio>
#include <cstring>

#include "machine/machine.hpp"
#include "objects/device/attributes.hpp"
#include "support/calls.hpp"
#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// In the child of a fork() that interrupted calls, locks may never be unlocked.
bool has_context(const Device& device) {
    const auto is_on_device = [&](const Context& context) { return &context.device == &device && context.is_alive(); };
    return !machine().is_unusable && machine().contexts.find_if(is_on_device) != nullptr;
}

DeviceFacts facts_of(const Device& device) {
    DeviceFacts facts = {};
    std::snprintf(facts.name, sizeof facts.name, "%s", device.name().c_str());
    std::snprintf(facts.pci_bus_id, sizeof facts.pci_bus_id, "%s", device.pci_bus_id().c_str());
    const CUuuid uuid = device.uuid();
    std::memcpy(facts.uuid, uuid.bytes, sizeof facts.uuid);
    facts.major = device.major;
    facts.minor = device.minor;
    facts.multiprocessors = device_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    facts.clock_khz = device_attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    facts.memory_clock_khz = device_attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    facts.bus_width = device_attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    facts.compute_mode = device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
    facts.has_ecc = device_attribute(device, CU_DEVICE_ATTRIBUTE_ECC_ENABLED) != 0;
    facts.has_context = has_context(device);
    facts.memory = device.memory;
    facts.used_memory = device.used_bytes();
    return facts;
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] SimulatedDevice cubindSimulatedDevice;

int cubindSimulatedDevice(int ordinal, DeviceFacts* facts, std::size_t size) noexcept {
    if (size != sizeof *facts) return -1;
    const CallScope scope;
    try {
        if (!machine().problem.empty()) {
            report("", "the devices cannot be listed", "CUDA_ERROR_INVALID_VALUE", machine().problem.c_str());
            return -1;
        }
        const Device* const device = machine().find_installed(ordinal);
        if (device != nullptr && facts != nullptr) *facts = facts_of(*device);
        return machine().options.devices;
    } catch (...) {
        return -1;
    }
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
