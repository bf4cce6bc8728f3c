// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the simulated driver states about its devices to the other simulated libraries of the process.

#include <cubind/detail/abi.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::sim {

/// One simulated device: facts that the driver API states, too, and its use by the process.
struct DeviceFacts {
    char name[64];
    unsigned char uuid[16];
    char pci_bus_id[16];  ///< DOMAIN:BUS:DEVICE.FUNCTION, as cuDeviceGetPCIBusId writes it
    int major;            ///< major number of the compute capability
    int minor;            ///< minor number of the compute capability
    int multiprocessors;
    int clock_khz;         ///< highest clock of the multiprocessors
    int memory_clock_khz;  ///< highest clock of the memory
    int bus_width;         ///< bits between the device and its memory
    int compute_mode;
    bool has_ecc;
    bool has_context;         ///< whether a context of the process exists on the device
    std::size_t memory;       ///< bytes
    std::size_t used_memory;  ///< bytes
};

/// The name under which the simulated driver exports a SimulatedDevice.
inline constexpr const char* simulated_device_symbol = "cubindSimulatedDevice";

/// Writes the facts of a device, unless `facts` is null or no device has the ordinal. Returns the number of devices. Returns -1
/// if `size` is not that of the driver's DeviceFacts, because both libraries are of different versions, or if memory is
/// exhausted. The driver need not be initialized, and is not initialized by the call.
using SimulatedDevice = int(int ordinal, DeviceFacts* facts, std::size_t size) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
