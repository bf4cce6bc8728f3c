// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/enums.hpp>

#include <chrono>
#include <compare>
#include <string>

/// @file
/// Results of the queries of cubind::system. Sizes are in bytes, utilizations in percent.
namespace CUBIND_NAMESPACE::system {

/// A version with two parts, such as the release 13.0 of CUDA or the compute capability 9.0.
struct Version {
    int major;  ///< 13 of 13.0
    int minor;  ///< 0 of 13.0
    /// Compares major, then minor.
    [[nodiscard]] friend auto operator<=>(const Version&, const Version&) = default;
};

/// A setting that takes effect later, for example after a restart of the GPU.
struct PendingSwitch {
    bool is_enabled;       ///< the state now
    bool will_be_enabled;  ///< the state after the next restart
};

/// A setting and its default.
struct DefaultedSwitch {
    bool is_enabled;             ///< the state now
    bool is_enabled_by_default;  ///< the state after the driver was loaded
};

/// Memory of a device, in bytes.
struct MemoryInfo {
    unsigned long long total;     ///< all memory of the device
    unsigned long long free;      ///< memory that is free
    unsigned long long used;      ///< memory that processes and the driver use
    unsigned long long reserved;  ///< memory that the driver and the firmware keep for themselves
};

/// The window of a device's memory that the host can map, in bytes.
struct Bar1MemoryInfo {
    unsigned long long total;  ///< size of the window
    unsigned long long free;   ///< bytes that are not mapped
    unsigned long long used;   ///< bytes that are mapped
};

/// The percentage of time in which a device was busy, over the latest sampling period.
struct Utilization {
    unsigned int gpu;     ///< percent of time in which a kernel ran
    unsigned int memory;  ///< percent of time in which device memory was read or written
};

/// The percentage of time in which an engine was busy.
struct EngineUtilization {
    unsigned int percent;                       ///< percent of the sampling period
    std::chrono::microseconds sampling_period;  ///< length of the period
};

/// A process that uses a device.
struct ProcessInfo {
    /// Value of `used_memory` if the driver does not know it.
    CUBIND_HIDDEN static constexpr unsigned long long unknown_memory = ~0ull;
    /// Value of the instances for a process that uses no part of a GPU (MIG).
    CUBIND_HIDDEN static constexpr unsigned int no_instance = ~0u;

    unsigned int pid;                  ///< identifier of the operating system
    unsigned long long used_memory;    ///< bytes of device memory, or unknown_memory
    unsigned int gpu_instance_id;      ///< GPU instance, or no_instance
    unsigned int compute_instance_id;  ///< compute instance, or no_instance
};

/// The resources of a device that is a part of a GPU (MIG).
struct DeviceAttributes {
    unsigned int multiprocessor_count;          ///< SMs
    unsigned int shared_copy_engine_count;      ///< copy engines, shared with other compute instances
    unsigned int shared_decoder_count;          ///< video decoders, shared
    unsigned int shared_encoder_count;          ///< video encoders, shared
    unsigned int shared_jpeg_count;             ///< JPEG engines, shared
    unsigned int shared_ofa_count;              ///< optical flow engines, shared
    unsigned int gpu_instance_slice_count;      ///< slices of the GPU instance
    unsigned int compute_instance_slice_count;  ///< slices of the compute instance
    unsigned long long memory_size;             ///< device memory in bytes
};

/// The cooler of a device.
struct CoolerInfo {
    CoolerControl control;  ///< how it can be controlled
    CoolerTarget target;    ///< what it cools
};

/// Repairs that are due at the next restart of the device.
struct RepairStatus {
    bool is_channel_repair_pending;  ///< a channel of device memory is to be repaired
    bool is_tpc_repair_pending;      ///< a part of the processor is to be repaired
};

/// Rows of device memory that were replaced by spare rows.
struct RemappedRows {
    unsigned int correctable;    ///< rows replaced because of corrected errors
    unsigned int uncorrectable;  ///< rows replaced because of uncorrected errors
    bool is_pending;             ///< a replacement takes effect at the next restart
    bool has_failed;             ///< a replacement failed
};

/// The share of time of one domain in which the driver chooses performance states.
struct DynamicUtilization {
    bool is_present;               ///< whether the device has the domain; otherwise the other members are 0
    unsigned int percent;          ///< percent of time over the latest second
    unsigned int rise_threshold;   ///< percent above which the driver may raise the clocks
    unsigned int lower_threshold;  ///< percent below which the driver may lower the clocks
};

/// The domains in which the driver chooses performance states.
struct DynamicPerformanceStates {
    DynamicUtilization gpu;           ///< the graphics engine
    DynamicUtilization frame_buffer;  ///< device memory
    DynamicUtilization video;         ///< the video engine
    DynamicUtilization bus;           ///< the bus interface
};

/// A range of values that a setting accepts.
template <class Value>
struct Limits {
    Value min;  ///< the least value
    Value max;  ///< the greatest value
};

/// The offset of a clock in a performance state, and its range, in MHz.
struct ClockOffset {
    int mhz;      ///< the offset
    int min_mhz;  ///< the least offset
    int max_mhz;  ///< the greatest offset
};

/// A sensor of temperatures, in degrees Celsius.
struct ThermalSensor {
    ThermalController controller;  ///< the chip that measures
    ThermalTarget target;          ///< what it measures
    int celsius;                   ///< the temperature
    int min_celsius;               ///< the lower end of its default range
    int max_celsius;               ///< the upper end of its default range
};

/// The place and the kind of a device on the PCI bus.
struct PciInfo {
    unsigned int domain;               ///< domain of the address
    unsigned int bus;                  ///< bus of the address
    unsigned int device;               ///< device of the address
    unsigned int vendor_id;            ///< 0x10de for NVIDIA
    unsigned int device_id;            ///< product
    unsigned int subsystem_vendor_id;  ///< vendor of the board
    unsigned int subsystem_id;         ///< board
    std::string bus_id;                ///< address, such as "00000000:3B:00.0"
};

/// The class of a device on the PCI bus.
struct PciClass {
    unsigned int base_class;  ///< 3 for a display controller
    unsigned int sub_class;   ///< 2 for a 3D controller
};

}  // namespace CUBIND_NAMESPACE::system
