// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvml/constants.hpp>
#include <cubind/nvml/types.hpp>

/// @file
/// The enumerations of cubind::system. Their values are those of NVML. A newer driver may return values that have no enumerator.
namespace CUBIND_NAMESPACE::system {

/// The generation of a GPU (nvmlDeviceArchitecture_t).
enum class Architecture : unsigned int {
    kepler = nvml::NVML_DEVICE_ARCH_KEPLER,
    maxwell = nvml::NVML_DEVICE_ARCH_MAXWELL,
    pascal = nvml::NVML_DEVICE_ARCH_PASCAL,
    volta = nvml::NVML_DEVICE_ARCH_VOLTA,
    turing = nvml::NVML_DEVICE_ARCH_TURING,
    ampere = nvml::NVML_DEVICE_ARCH_AMPERE,
    ada = nvml::NVML_DEVICE_ARCH_ADA,
    hopper = nvml::NVML_DEVICE_ARCH_HOPPER,
    blackwell = nvml::NVML_DEVICE_ARCH_BLACKWELL,
    rubin = nvml::NVML_DEVICE_ARCH_RUBIN,
    unknown = nvml::NVML_DEVICE_ARCH_UNKNOWN,
};

/// The product line of a GPU (nvmlBrandType_t).
enum class Brand : unsigned int {
    unknown = nvml::NVML_BRAND_UNKNOWN,
    quadro = nvml::NVML_BRAND_QUADRO,
    tesla = nvml::NVML_BRAND_TESLA,
    nvs = nvml::NVML_BRAND_NVS,
    grid = nvml::NVML_BRAND_GRID,
    geforce = nvml::NVML_BRAND_GEFORCE,
    titan = nvml::NVML_BRAND_TITAN,
    nvidia_vapps = nvml::NVML_BRAND_NVIDIA_VAPPS,
    nvidia_vpc = nvml::NVML_BRAND_NVIDIA_VPC,
    nvidia_vcs = nvml::NVML_BRAND_NVIDIA_VCS,
    nvidia_vws = nvml::NVML_BRAND_NVIDIA_VWS,
    nvidia_cloud_gaming = nvml::NVML_BRAND_NVIDIA_CLOUD_GAMING,
    quadro_rtx = nvml::NVML_BRAND_QUADRO_RTX,
    nvidia_rtx = nvml::NVML_BRAND_NVIDIA_RTX,
    nvidia = nvml::NVML_BRAND_NVIDIA,
    geforce_rtx = nvml::NVML_BRAND_GEFORCE_RTX,
    titan_rtx = nvml::NVML_BRAND_TITAN_RTX,
    nvidia_vgamedev = nvml::NVML_BRAND_NVIDIA_VGAMEDEV,
};

/// Which processes may create contexts on a GPU (nvmlComputeMode_t).
enum class ComputeMode : unsigned int {
    any_process = nvml::NVML_COMPUTEMODE_DEFAULT,
    exclusive_thread = nvml::NVML_COMPUTEMODE_EXCLUSIVE_THREAD,
    prohibited = nvml::NVML_COMPUTEMODE_PROHIBITED,
    exclusive_process = nvml::NVML_COMPUTEMODE_EXCLUSIVE_PROCESS,
};

/// A part of a GPU that has a clock (nvmlClockType_t).
enum class ClockType : unsigned int {
    graphics = nvml::NVML_CLOCK_GRAPHICS,
    sm = nvml::NVML_CLOCK_SM,
    memory = nvml::NVML_CLOCK_MEM,
    video = nvml::NVML_CLOCK_VIDEO,
};

/// A level of clocks and voltage; p0 is the fastest (nvmlPstates_t).
enum class PerformanceState : unsigned int {
    p0 = nvml::NVML_PSTATE_0,
    p1 = nvml::NVML_PSTATE_1,
    p2 = nvml::NVML_PSTATE_2,
    p3 = nvml::NVML_PSTATE_3,
    p4 = nvml::NVML_PSTATE_4,
    p5 = nvml::NVML_PSTATE_5,
    p6 = nvml::NVML_PSTATE_6,
    p7 = nvml::NVML_PSTATE_7,
    p8 = nvml::NVML_PSTATE_8,
    p9 = nvml::NVML_PSTATE_9,
    p10 = nvml::NVML_PSTATE_10,
    p11 = nvml::NVML_PSTATE_11,
    p12 = nvml::NVML_PSTATE_12,
    p13 = nvml::NVML_PSTATE_13,
    p14 = nvml::NVML_PSTATE_14,
    p15 = nvml::NVML_PSTATE_15,
    unknown = nvml::NVML_PSTATE_UNKNOWN,
};

/// A temperature at which the GPU or its driver acts (nvmlTemperatureThresholds_t).
enum class TemperatureThreshold : unsigned int {
    shutdown = nvml::NVML_TEMPERATURE_THRESHOLD_SHUTDOWN,
    slowdown = nvml::NVML_TEMPERATURE_THRESHOLD_SLOWDOWN,
    memory_max = nvml::NVML_TEMPERATURE_THRESHOLD_MEM_MAX,
    gpu_max = nvml::NVML_TEMPERATURE_THRESHOLD_GPU_MAX,
    acoustic_min = nvml::NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN,
    acoustic_current = nvml::NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR,
    acoustic_max = nvml::NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MAX,
};

/// The chip that measures a temperature (nvmlThermalController_t).
enum class ThermalController : int {
    none = nvml::NVML_THERMAL_CONTROLLER_NONE,
    gpu_internal = nvml::NVML_THERMAL_CONTROLLER_GPU_INTERNAL,
    adm1032 = nvml::NVML_THERMAL_CONTROLLER_ADM1032,
    adt7461 = nvml::NVML_THERMAL_CONTROLLER_ADT7461,
    max6649 = nvml::NVML_THERMAL_CONTROLLER_MAX6649,
    max1617 = nvml::NVML_THERMAL_CONTROLLER_MAX1617,
    lm99 = nvml::NVML_THERMAL_CONTROLLER_LM99,
    lm89 = nvml::NVML_THERMAL_CONTROLLER_LM89,
    lm64 = nvml::NVML_THERMAL_CONTROLLER_LM64,
    g781 = nvml::NVML_THERMAL_CONTROLLER_G781,
    adt7473 = nvml::NVML_THERMAL_CONTROLLER_ADT7473,
    sbmax6649 = nvml::NVML_THERMAL_CONTROLLER_SBMAX6649,
    vbiosevt = nvml::NVML_THERMAL_CONTROLLER_VBIOSEVT,
    os = nvml::NVML_THERMAL_CONTROLLER_OS,
    nvsyscon_canoas = nvml::NVML_THERMAL_CONTROLLER_NVSYSCON_CANOAS,
    nvsyscon_e551 = nvml::NVML_THERMAL_CONTROLLER_NVSYSCON_E551,
    max6649r = nvml::NVML_THERMAL_CONTROLLER_MAX6649R,
    adt7473s = nvml::NVML_THERMAL_CONTROLLER_ADT7473S,
    unknown = nvml::NVML_THERMAL_CONTROLLER_UNKNOWN,
};

/// What a thermal sensor measures (nvmlThermalTarget_t).
enum class ThermalTarget : int {
    none = nvml::NVML_THERMAL_TARGET_NONE,
    gpu = nvml::NVML_THERMAL_TARGET_GPU,
    memory = nvml::NVML_THERMAL_TARGET_MEMORY,
    power_supply = nvml::NVML_THERMAL_TARGET_POWER_SUPPLY,
    board = nvml::NVML_THERMAL_TARGET_BOARD,
    vcd_board = nvml::NVML_THERMAL_TARGET_VCD_BOARD,
    vcd_inlet = nvml::NVML_THERMAL_TARGET_VCD_INLET,
    vcd_outlet = nvml::NVML_THERMAL_TARGET_VCD_OUTLET,
    all = nvml::NVML_THERMAL_TARGET_ALL,
    unknown = nvml::NVML_THERMAL_TARGET_UNKNOWN,
};

/// Who controls the speed of a fan (nvmlFanControlPolicy_t).
enum class FanPolicy : unsigned int {
    temperature = nvml::NVML_FAN_POLICY_TEMPERATURE_CONTINOUS_SW,
    manual = nvml::NVML_FAN_POLICY_MANUAL,
};

/// How a cooler can be controlled (nvmlCoolerControl_t).
enum class CoolerControl : unsigned int {
    none = nvml::NVML_THERMAL_COOLER_SIGNAL_NONE,
    toggle = nvml::NVML_THERMAL_COOLER_SIGNAL_TOGGLE,
    variable = nvml::NVML_THERMAL_COOLER_SIGNAL_VARIABLE,
};

/// What a cooler cools (nvmlCoolerTarget_t).
enum class CoolerTarget : unsigned int {
    none = nvml::NVML_THERMAL_COOLER_TARGET_NONE,
    gpu = nvml::NVML_THERMAL_COOLER_TARGET_GPU,
    memory = nvml::NVML_THERMAL_COOLER_TARGET_MEMORY,
    power_supply = nvml::NVML_THERMAL_COOLER_TARGET_POWER_SUPPLY,
    gpu_related = nvml::NVML_THERMAL_COOLER_TARGET_GPU_RELATED,
};

/// A part of the memory for configuration on the board (nvmlInforomObject_t).
enum class InforomObject : unsigned int {
    oem = nvml::NVML_INFOROM_OEM,
    ecc = nvml::NVML_INFOROM_ECC,
    power = nvml::NVML_INFOROM_POWER,
    den = nvml::NVML_INFOROM_DEN,
};

/// How a GPU accesses the memory of the host that the operating system manages (nvmlDeviceAddressingModeType_t).
enum class AddressingMode : unsigned int {
    none = nvml::NVML_DEVICE_ADDRESSING_MODE_NONE,
    hmm = nvml::NVML_DEVICE_ADDRESSING_MODE_HMM,
    ats = nvml::NVML_DEVICE_ADDRESSING_MODE_ATS,
};

/// The set of CPUs or of memory near a GPU (nvmlAffinityScope_t).
enum class AffinityScope : unsigned int {
    node = nvml::NVML_AFFINITY_SCOPE_NODE,
    socket = nvml::NVML_AFFINITY_SCOPE_SOCKET,
};

/// The nearest common ancestor of two GPUs; a smaller value is nearer (nvmlGpuTopologyLevel_t).
enum class TopologyLevel : unsigned int {
    internal = nvml::NVML_TOPOLOGY_INTERNAL,
    single = nvml::NVML_TOPOLOGY_SINGLE,
    multiple = nvml::NVML_TOPOLOGY_MULTIPLE,
    host_bridge = nvml::NVML_TOPOLOGY_HOSTBRIDGE,
    node = nvml::NVML_TOPOLOGY_NODE,
    system = nvml::NVML_TOPOLOGY_SYSTEM,
};

/// Whether two GPUs can access each other's memory, or why not (nvmlGpuP2PStatus_t).
enum class P2PStatus : unsigned int {
    ok = nvml::NVML_P2P_STATUS_OK,
    chipset_not_supported = nvml::NVML_P2P_STATUS_CHIPSET_NOT_SUPPORTED,
    gpu_not_supported = nvml::NVML_P2P_STATUS_GPU_NOT_SUPPORTED,
    ioh_topology_not_supported = nvml::NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED,
    disabled_by_regkey = nvml::NVML_P2P_STATUS_DISABLED_BY_REGKEY,
    not_supported = nvml::NVML_P2P_STATUS_NOT_SUPPORTED,
    unknown = nvml::NVML_P2P_STATUS_UNKNOWN,
};

/// A kind of access between two GPUs (nvmlGpuP2PCapsIndex_t).
enum class P2PCapability : unsigned int {
    read = nvml::NVML_P2P_CAPS_INDEX_READ,
    write = nvml::NVML_P2P_CAPS_INDEX_WRITE,
    nvlink = nvml::NVML_P2P_CAPS_INDEX_NVLINK,
    atomics = nvml::NVML_P2P_CAPS_INDEX_ATOMICS,
    pci = nvml::NVML_P2P_CAPS_INDEX_PCI,
};

/// The device at the other end of a link (nvmlIntNvLinkDeviceType_t).
enum class NvLinkDeviceType : unsigned int {
    gpu = nvml::NVML_NVLINK_DEVICE_TYPE_GPU,
    ibm_npu = nvml::NVML_NVLINK_DEVICE_TYPE_IBMNPU,
    nvswitch = nvml::NVML_NVLINK_DEVICE_TYPE_SWITCH,
    unknown = nvml::NVML_NVLINK_DEVICE_TYPE_UNKNOWN,
};

/// An ability of a link (nvmlNvLinkCapability_t).
enum class NvLinkCapability : unsigned int {
    p2p_supported = nvml::NVML_NVLINK_CAP_P2P_SUPPORTED,
    sysmem_access = nvml::NVML_NVLINK_CAP_SYSMEM_ACCESS,
    p2p_atomics = nvml::NVML_NVLINK_CAP_P2P_ATOMICS,
    sysmem_atomics = nvml::NVML_NVLINK_CAP_SYSMEM_ATOMICS,
    sli_bridge = nvml::NVML_NVLINK_CAP_SLI_BRIDGE,
    valid = nvml::NVML_NVLINK_CAP_VALID,
};

/// A kind of error of a link (nvmlNvLinkErrorCounter_t).
enum class NvLinkErrorCounter : unsigned int {
    dl_replay = nvml::NVML_NVLINK_ERROR_DL_REPLAY,
    dl_recovery = nvml::NVML_NVLINK_ERROR_DL_RECOVERY,
    dl_crc_flit = nvml::NVML_NVLINK_ERROR_DL_CRC_FLIT,
    dl_crc_data = nvml::NVML_NVLINK_ERROR_DL_CRC_DATA,
    dl_ecc_data = nvml::NVML_NVLINK_ERROR_DL_ECC_DATA,
};

/// Whether an ECC error was corrected (nvmlMemoryErrorType_t).
enum class MemoryError : unsigned int {
    corrected = nvml::NVML_MEMORY_ERROR_TYPE_CORRECTED,
    uncorrected = nvml::NVML_MEMORY_ERROR_TYPE_UNCORRECTED,
};

/// A direction of PCIe traffic, seen from the GPU (nvmlPcieUtilCounter_t).
enum class PcieCounter : unsigned int {
    transmitted = nvml::NVML_PCIE_UTIL_TX_BYTES,
    received = nvml::NVML_PCIE_UTIL_RX_BYTES,
};

/// Which ECC errors are counted (nvmlEccCounterType_t).
enum class EccCounter : unsigned int {
    volatile_count = nvml::NVML_VOLATILE_ECC,    ///< since the driver was loaded
    aggregate_count = nvml::NVML_AGGREGATE_ECC,  ///< over the life of the device
};

}  // namespace CUBIND_NAMESPACE::system
