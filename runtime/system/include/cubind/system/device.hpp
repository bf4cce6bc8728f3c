// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/clock.hpp>
#include <cubind/system/ecc.hpp>
#include <cubind/system/fan.hpp>
#include <cubind/system/field_value.hpp>
#include <cubind/system/flags.hpp>
#include <cubind/system/inforom.hpp>
#include <cubind/system/mig.hpp>
#include <cubind/system/nvlink.hpp>
#include <cubind/system/pci.hpp>
#include <cubind/system/power.hpp>
#include <cubind/system/temperature.hpp>
#include <cubind/system/values.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::system {

class DeviceEvents;

/// A GPU or a part of one (MIG), as the driver's management library NVML sees it. It is as cheap to copy as a pointer. Any thread
/// may call its members, and none of them needs or creates a context. NVML lists all GPUs of the machine: CUDA_VISIBLE_DEVICES
/// has no effect, and the order is that of the PCI addresses, so an index may differ from the ordinal of cubind::Device.
///
///     for (system::Device device : system::Device::all()) std::printf("%s\n", device.name().c_str());
///
/// A failed query throws Error with the library "nvml". The status is NVML_ERROR_NOT_SUPPORTED if the device does not have what
/// was asked for, and NVML_ERROR_FUNCTION_NOT_FOUND if the driver is too old; if_supported() turns both into an empty result.
/// Setters throw Error with NVML_ERROR_NO_PERMISSION unless an administrator runs the program.
class CUBIND_EXPORT Device {
public:
    /// Selects the device with this index of NVML (nvmlDeviceGetHandleByIndex_v2). Throws std::invalid_argument if there is none.
    explicit Device(unsigned int index);
    /// Wraps a handle of NVML.
    explicit Device(nvml::nvmlDevice_t handle) noexcept : handle_(handle) {}

    /// Returns the device with this UUID. The text may have the prefix GPU- or MIG- (nvmlDeviceGetHandleByUUID). Without a
    /// prefix, as cubind::Device::uuid() returns it, all devices and their parts are searched. If there is none, throws Error
    /// with NVML_ERROR_NOT_FOUND for a text with a prefix, and std::invalid_argument for one without.
    [[nodiscard]] static Device from_uuid(const std::string& uuid);
    /// Returns the device at "domain:bus:device.function" (nvmlDeviceGetHandleByPciBusId_v2). Throws Error with
    /// NVML_ERROR_NOT_FOUND if there is none.
    [[nodiscard]] static Device from_pci_bus_id(const std::string& bus_id);
    /// Returns the device on the board with this serial number (nvmlDeviceGetHandleBySerial). Throws Error with
    /// NVML_ERROR_NOT_FOUND if there is none.
    [[nodiscard]] static Device from_serial(const std::string& serial);

    /// Returns the number of GPUs of the machine (nvmlDeviceGetCount_v2).
    [[nodiscard]] static unsigned int count();
    /// Returns all GPUs in order of their indices. Mig::devices() returns the parts of one.
    [[nodiscard]] static std::vector<Device> all();
    /// Returns the GPUs that are near the CPU with this number (nvmlSystemGetTopologyGpuSet).
    [[nodiscard]] static std::vector<Device> all_with_cpu_affinity(unsigned int cpu);

    /// Returns the native handle, for functions of cubind::nvml.
    [[nodiscard]] nvml::nvmlDevice_t native_handle() const noexcept { return handle_; }
    /// Returns whether both are the same device.
    [[nodiscard]] friend bool operator==(Device, Device) noexcept = default;

    // ---- identity --------------------------------------------------------------------------------------------------------

    /// Returns the index of NVML (nvmlDeviceGetIndex).
    [[nodiscard]] unsigned int index() const;
    /// Returns the UUID with its prefix, GPU- or MIG- (nvmlDeviceGetUUID).
    [[nodiscard]] std::string uuid() const;
    /// Returns the UUID without its prefix, as cubind::Device::uuid() does (nvmlDeviceGetUUID).
    [[nodiscard]] std::string uuid_without_prefix() const;
    /// Returns the PCI address, such as "00000000:3B:00.0" (nvmlDeviceGetPciInfo_v3).
    [[nodiscard]] std::string pci_bus_id() const;
    /// Returns the product name (nvmlDeviceGetName).
    [[nodiscard]] std::string name() const;
    /// Returns the product line (nvmlDeviceGetBrand).
    [[nodiscard]] Brand brand() const;
    /// Returns the generation (nvmlDeviceGetArchitecture).
    [[nodiscard]] Architecture architecture() const;
    /// Returns the compute capability (nvmlDeviceGetCudaComputeCapability).
    [[nodiscard]] Version compute_capability() const;
    /// Returns the serial number of the board (nvmlDeviceGetSerial).
    [[nodiscard]] std::string serial() const;
    /// Returns the place of the device in its machine, for machines with modules (nvmlDeviceGetModuleId, since CUDA 12.2).
    [[nodiscard]] unsigned int module_id() const;
    /// Returns the number N of /dev/nvidiaN (nvmlDeviceGetMinorNumber).
    [[nodiscard]] unsigned int minor_number() const;
    /// Returns the version of the firmware in the board's ROM (nvmlDeviceGetVbiosVersion).
    [[nodiscard]] std::string vbios_version() const;
    /// Returns the number of CUDA cores (nvmlDeviceGetNumGpuCores).
    [[nodiscard]] unsigned int core_count() const;
    /// Returns the width of the memory bus in bits (nvmlDeviceGetMemoryBusWidth).
    [[nodiscard]] unsigned int memory_bus_width() const;

    // ---- groups of queries -----------------------------------------------------------------------------------------------

    /// Returns a clock of the device.
    [[nodiscard]] Clock clock(ClockType type) const noexcept { return {handle_, type}; }
    /// Returns the error correction.
    [[nodiscard]] Ecc ecc() const noexcept { return Ecc(handle_); }
    /// Returns a fan; the index is less than fan_count().
    [[nodiscard]] Fan fan(unsigned int index) const noexcept { return {handle_, index}; }
    /// Returns the number of fans (nvmlDeviceGetNumFans). Throws Error with NVML_ERROR_NOT_SUPPORTED on some boards without fans.
    [[nodiscard]] unsigned int fan_count() const;
    /// Returns the memory for configuration on the board.
    [[nodiscard]] Inforom inforom() const noexcept { return Inforom(handle_); }
    /// Returns the division into parts.
    [[nodiscard]] Mig mig() const noexcept { return Mig(handle_); }
    /// Returns an NVLink; the index is less than nvlink_count().
    [[nodiscard]] NvLink nvlink(unsigned int index) const noexcept { return {handle_, index}; }
    /// Returns the number of NVLinks; 0 if the device has none (nvmlDeviceGetFieldValues).
    [[nodiscard]] unsigned int nvlink_count() const;
    /// Returns all NVLinks.
    [[nodiscard]] std::vector<NvLink> nvlinks() const;
    /// Returns the connection to the PCI bus.
    [[nodiscard]] Pci pci() const noexcept { return Pci(handle_); }
    /// Returns the power.
    [[nodiscard]] Power power() const noexcept { return Power(handle_); }
    /// Returns the temperatures.
    [[nodiscard]] Temperature temperature() const noexcept { return Temperature(handle_); }

    // ---- memory, load, processes -----------------------------------------------------------------------------------------

    /// Returns total, free and used device memory in bytes (nvmlDeviceGetMemoryInfo_v2).
    [[nodiscard]] MemoryInfo memory_info() const;
    /// Returns the window that the host can map, in bytes (nvmlDeviceGetBAR1MemoryInfo).
    [[nodiscard]] Bar1MemoryInfo bar1_memory_info() const;
    /// Returns how busy the device was (nvmlDeviceGetUtilizationRates).
    [[nodiscard]] Utilization utilization() const;
    /// Returns how busy the video encoder was (nvmlDeviceGetEncoderUtilization).
    [[nodiscard]] EngineUtilization encoder_utilization() const;
    /// Returns how busy the video decoder was (nvmlDeviceGetDecoderUtilization).
    [[nodiscard]] EngineUtilization decoder_utilization() const;
    /// Returns the processes with contexts for computing (nvmlDeviceGetComputeRunningProcesses_v3).
    [[nodiscard]] std::vector<ProcessInfo> compute_processes() const;
    /// Returns the processes with contexts for graphics (nvmlDeviceGetGraphicsRunningProcesses_v3).
    [[nodiscard]] std::vector<ProcessInfo> graphics_processes() const;
    /// Returns the processes that compute through MPS (nvmlDeviceGetMPSComputeRunningProcesses_v3).
    [[nodiscard]] std::vector<ProcessInfo> mps_compute_processes() const;
    /// Returns the resources of a part of a GPU (nvmlDeviceGetAttributes_v2). Throws Error with NVML_ERROR_NOT_SUPPORTED for a
    /// GPU.
    [[nodiscard]] DeviceAttributes attributes() const;

    // ---- state -----------------------------------------------------------------------------------------------------------

    /// Returns the performance state (nvmlDeviceGetPerformanceState).
    [[nodiscard]] PerformanceState performance_state() const;
    /// Returns the performance states of the device (nvmlDeviceGetSupportedPerformanceStates).
    [[nodiscard]] std::vector<PerformanceState> supported_performance_states() const;
    /// Returns the load from which the driver chooses performance states (nvmlDeviceGetDynamicPstatesInfo).
    [[nodiscard]] DynamicPerformanceStates dynamic_performance_states() const;
    /// Returns why clocks are lower than requested (nvmlDeviceGetCurrentClocksEventReasons; before CUDA 12.2
    /// nvmlDeviceGetCurrentClocksThrottleReasons).
    [[nodiscard]] Flags<ClockEventReason> current_clock_event_reasons() const;
    /// Returns the reasons that the device can report (nvmlDeviceGetSupportedClocksEventReasons; before CUDA 12.2
    /// nvmlDeviceGetSupportedClocksThrottleReasons).
    [[nodiscard]] Flags<ClockEventReason> supported_clock_event_reasons() const;
    /// Returns whether the driver raises the clocks on its own (nvmlDeviceGetAutoBoostedClocksEnabled).
    [[nodiscard]] DefaultedSwitch auto_boosted_clocks() const;
    /// Returns which processes may create contexts (nvmlDeviceGetComputeMode).
    [[nodiscard]] ComputeMode compute_mode() const;
    /// Sets which processes may create contexts (nvmlDeviceSetComputeMode).
    void set_compute_mode(ComputeMode mode) const;
    /// Returns whether the driver stays loaded while no process uses the device (nvmlDeviceGetPersistenceMode).
    [[nodiscard]] bool is_persistence_mode_enabled() const;
    /// Sets whether the driver stays loaded (nvmlDeviceSetPersistenceMode).
    void set_persistence_mode_enabled(bool enabled) const;
    /// Returns whether a display is connected (nvmlDeviceGetDisplayMode).
    [[nodiscard]] bool is_display_connected() const;
    /// Returns whether the device shows a desktop (nvmlDeviceGetDisplayActive).
    [[nodiscard]] bool is_display_active() const;
    /// Returns whether the chip-to-chip connection to the CPU is on (nvmlDeviceGetC2cModeInfoV, since CUDA 12.3).
    [[nodiscard]] bool is_c2c_enabled() const;
    /// Returns how the device reads memory of the operating system (nvmlDeviceGetAddressingMode, since CUDA 13.0).
    [[nodiscard]] AddressingMode addressing_mode() const;
    /// Returns the repairs that are due (nvmlDeviceGetRepairStatus, since CUDA 13.0).
    [[nodiscard]] RepairStatus repair_status() const;
    /// Returns the cooler (nvmlDeviceGetCoolerInfo, since CUDA 12.8).
    [[nodiscard]] CoolerInfo cooler() const;

    // ---- affinity and topology -------------------------------------------------------------------------------------------

    /// Returns the NUMA node of the device's memory (nvmlDeviceGetNumaNodeId, since CUDA 12.4).
    [[nodiscard]] unsigned int numa_node_id() const;
    /// Returns the numbers of the CPUs near the device (nvmlDeviceGetCpuAffinityWithinScope).
    [[nodiscard]] std::vector<unsigned int> cpu_affinity(AffinityScope scope = AffinityScope::node) const;
    /// Returns the numbers of the NUMA nodes near the device (nvmlDeviceGetMemoryAffinity).
    [[nodiscard]] std::vector<unsigned int> memory_affinity(AffinityScope scope = AffinityScope::node) const;
    /// Restricts the calling thread to the CPUs near the device (nvmlDeviceSetCpuAffinity).
    void set_cpu_affinity() const;
    /// Lets the calling thread run on all CPUs again (nvmlDeviceClearCpuAffinity).
    void clear_cpu_affinity() const;
    /// Returns the other GPUs whose common ancestor with this one is `level` (nvmlDeviceGetTopologyNearestGpus).
    [[nodiscard]] std::vector<Device> nearest_devices(TopologyLevel level) const;

    // ---- fields and events -----------------------------------------------------------------------------------------------

    /// Reads fields in one call, in their order (nvmlDeviceGetFieldValues). Throws Error only if the call as a whole fails; each
    /// value has its own status.
    [[nodiscard]] std::vector<FieldValue> field_values(const std::vector<FieldId>& fields) const;
    /// Sets counters to 0 (nvmlDeviceClearFieldValues). Throws Error with the status of the first field that could not be
    /// cleared; the others are cleared.
    void clear_field_values(const std::vector<FieldId>& fields) const;
    /// Returns the events that register_events() accepts (nvmlDeviceGetSupportedEventTypes).
    [[nodiscard]] Flags<EventType> supported_event_types() const;
    /// Receives events of these types; defined in <cubind/system/device_events.hpp> (nvmlDeviceRegisterEvents).
    [[nodiscard]] DeviceEvents register_events(Flags<EventType> types) const;

private:
    nvml::nvmlDevice_t handle_;
};

/// Returns the nearest common ancestor of two GPUs (nvmlDeviceGetTopologyCommonAncestor).
[[nodiscard]] CUBIND_EXPORT TopologyLevel topology_common_ancestor(Device first, Device second);

/// Returns whether two GPUs have this kind of access to each other, or why not (nvmlDeviceGetP2PStatus).
[[nodiscard]] CUBIND_EXPORT P2PStatus p2p_status(Device first, Device second, P2PCapability capability);

}  // namespace CUBIND_NAMESPACE::system
