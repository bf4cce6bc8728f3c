// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "system_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace system;

class SystemDeviceTest : public SystemTest {
protected:
    using Device = system::Device;
};

TEST_F(SystemDeviceTest, IsFoundByIndexUuidAddressAndSerial) {
    EXPECT_EQ(Device(1u), divided_);
    EXPECT_EQ(Device::all(), (std::vector{gpu_, divided_}));
    EXPECT_EQ(Device::from_uuid("GPU-bbbb"), divided_);
    EXPECT_EQ(Device::from_uuid("MIG-dddd"), Device(part_handle(2)));
    EXPECT_EQ(Device::from_pci_bus_id("0000:3b:00.0"), divided_);
    EXPECT_EQ(Device::from_serial("S123"), gpu_);
}

TEST_F(SystemDeviceTest, IsFoundByAUuidWithoutPrefix) {
    EXPECT_EQ(Device::from_uuid("aaaa"), gpu_);
    EXPECT_EQ(Device::from_uuid("cccc"), Device(part_handle(0)));
    EXPECT_EQ(Device(part_handle(2)).uuid_without_prefix(), "dddd");
    try {
        static_cast<void>(Device::from_uuid("eeee"));
        FAIL() << "nothing was thrown";
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("eeee"), HasSubstr("2 devices")));
    }
}

TEST_F(SystemDeviceTest, RefusesAnIndexAndATextThatCannotExist) {
    try {
        static_cast<void>(Device(2u));
        FAIL() << "nothing was thrown";
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("index 2"), HasSubstr("has 2")));
    }
    const std::string with_nul("GPU-bbbb\0x", 10);
    EXPECT_THROW(static_cast<void>(Device::from_uuid(with_nul)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(Device::from_pci_bus_id(with_nul)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(Device::from_serial(with_nul)), std::invalid_argument);
    EXPECT_EQ(error_of([] { static_cast<void>(Device::from_uuid("GPU-x")); }).code(), nvml::NVML_ERROR_NOT_FOUND);
}

TEST_F(SystemDeviceTest, ReturnsItsIdentity) {
    EXPECT_EQ(gpu_.index(), 3u);
    EXPECT_EQ(gpu_.uuid(), "GPU-aaaa");
    EXPECT_EQ(gpu_.pci_bus_id(), "00000001:3B:02.0");
    EXPECT_EQ(gpu_.name(), "NVIDIA Example");
    EXPECT_EQ(gpu_.brand(), Brand::geforce_rtx);
    EXPECT_EQ(gpu_.architecture(), Architecture::hopper);
    EXPECT_EQ(gpu_.compute_capability(), (Version{9, 1}));
    EXPECT_EQ(gpu_.serial(), "S123");
    EXPECT_EQ(gpu_.module_id(), 4u);
    EXPECT_EQ(gpu_.minor_number(), 5u);
    EXPECT_EQ(gpu_.vbios_version(), "96.00.10");
    EXPECT_EQ(gpu_.core_count(), 16896u);
    EXPECT_EQ(gpu_.memory_bus_width(), 5120u);
    EXPECT_EQ(gpu_.fan_count(), 2u);
}

TEST_F(SystemDeviceTest, ReturnsMemoryAndLoad) {
    const MemoryInfo memory = gpu_.memory_info();
    EXPECT_THAT((std::vector{memory.total, memory.free, memory.used, memory.reserved}), ElementsAre(1000, 700, 299, 1));
    const Bar1MemoryInfo bar1 = gpu_.bar1_memory_info();
    EXPECT_THAT((std::vector{bar1.total, bar1.free, bar1.used}), ElementsAre(64, 48, 16));
    EXPECT_EQ(gpu_.utilization().gpu, 81u);
    EXPECT_EQ(gpu_.utilization().memory, 32u);
    EXPECT_EQ(gpu_.encoder_utilization().percent, 11u);
    EXPECT_EQ(gpu_.encoder_utilization().sampling_period, std::chrono::microseconds(167000));
    EXPECT_EQ(gpu_.decoder_utilization().percent, 12u);
    EXPECT_EQ(gpu_.decoder_utilization().sampling_period, std::chrono::microseconds(168000));
}

TEST_F(SystemDeviceTest, ReturnsProcessesWhateverTheirNumber) {
    const std::vector<ProcessInfo> processes = gpu_.compute_processes();  // more than fit at first
    ASSERT_EQ(processes.size(), 100u);
    EXPECT_EQ(processes[99].pid, 1099u);
    EXPECT_EQ(processes[99].used_memory, 4096u);
    EXPECT_EQ(processes[99].gpu_instance_id, 99u);
    EXPECT_EQ(processes[99].compute_instance_id, 7u);
    EXPECT_EQ(gpu_.graphics_processes().size(), 2u);
    EXPECT_TRUE(gpu_.mps_compute_processes().empty());
}

TEST_F(SystemDeviceTest, ReturnsTheAttributesOfAPart) {
    const DeviceAttributes found = Device(part_handle(0)).attributes();
    EXPECT_EQ(found.multiprocessor_count, 16u);
    EXPECT_EQ(found.shared_copy_engine_count, 1u);
    EXPECT_EQ(found.shared_decoder_count, 2u);
    EXPECT_EQ(found.shared_encoder_count, 3u);
    EXPECT_EQ(found.shared_jpeg_count, 4u);
    EXPECT_EQ(found.shared_ofa_count, 5u);
    EXPECT_EQ(found.gpu_instance_slice_count, 6u);
    EXPECT_EQ(found.compute_instance_slice_count, 7u);
    EXPECT_EQ(found.memory_size, 10u << 20);
}

TEST_F(SystemDeviceTest, ReturnsItsState) {
    EXPECT_EQ(gpu_.performance_state(), PerformanceState::p2);
    EXPECT_THAT(gpu_.supported_performance_states(), ElementsAre(PerformanceState::p0, PerformanceState::p8));
    const DynamicPerformanceStates dynamic = gpu_.dynamic_performance_states();
    EXPECT_EQ(dynamic.gpu.percent, 21u);
    EXPECT_EQ(dynamic.gpu.rise_threshold, 22u);
    EXPECT_EQ(dynamic.gpu.lower_threshold, 23u);
    EXPECT_FALSE(dynamic.frame_buffer.is_present);
    EXPECT_TRUE(dynamic.video.is_present);
    EXPECT_EQ(dynamic.bus.percent, 0u) << "an absent domain has no values";
    EXPECT_FALSE(gpu_.auto_boosted_clocks().is_enabled);
    EXPECT_TRUE(gpu_.auto_boosted_clocks().is_enabled_by_default);
    EXPECT_EQ(gpu_.compute_mode(), ComputeMode::exclusive_process);
    EXPECT_TRUE(gpu_.is_persistence_mode_enabled());
    EXPECT_TRUE(gpu_.is_display_connected());
    EXPECT_FALSE(gpu_.is_display_active());
    EXPECT_TRUE(gpu_.is_c2c_enabled());
    EXPECT_EQ(gpu_.addressing_mode(), AddressingMode::ats);
    EXPECT_FALSE(gpu_.repair_status().is_channel_repair_pending);
    EXPECT_TRUE(gpu_.repair_status().is_tpc_repair_pending);
    EXPECT_EQ(gpu_.cooler().control, CoolerControl::variable);
    EXPECT_EQ(gpu_.cooler().target, CoolerTarget::memory);
}

TEST_F(SystemDeviceTest, SetsModes) {
    EXPECT_NO_THROW(gpu_.set_compute_mode(ComputeMode::prohibited));
    EXPECT_NO_THROW(gpu_.set_persistence_mode_enabled(true));
    EXPECT_EQ(error_of([&] { gpu_.set_persistence_mode_enabled(false); }).code(), nvml::NVML_ERROR_NO_PERMISSION);
}

TEST_F(SystemDeviceTest, ReturnsWhyClocksAreLow) {
    const Flags<ClockEventReason> reasons = gpu_.current_clock_event_reasons();
    EXPECT_EQ(reasons, ClockEventReason::software_power_cap | ClockEventReason::hardware_thermal_slowdown);
    EXPECT_TRUE(reasons.has(ClockEventReason::software_power_cap));
    EXPECT_FALSE(reasons.has(ClockEventReason::gpu_idle));
    EXPECT_EQ(gpu_.supported_clock_event_reasons().bits(), 0x1ffu);
    EXPECT_EQ(reasons & gpu_.supported_clock_event_reasons(), reasons);
}

TEST_F(SystemDeviceTest, AsksOlderDriversUnderTheFormerName) {
    remove("nvmlDeviceGetCurrentClocksEventReasons");
    remove("nvmlDeviceGetSupportedClocksEventReasons");
    EXPECT_EQ(gpu_.current_clock_event_reasons(), ClockEventReason::hardware_slowdown);
    EXPECT_EQ(gpu_.supported_clock_event_reasons().bits(), 0xffu);
}

TEST_F(SystemDeviceTest, ReturnsWhatIsNear) {
    EXPECT_EQ(gpu_.numa_node_id(), 6u);
    EXPECT_THAT(gpu_.cpu_affinity(), ElementsAre(0, 2));
    EXPECT_THAT(gpu_.cpu_affinity(AffinityScope::socket), ElementsAre(0, 2, 64));
    EXPECT_THAT(gpu_.memory_affinity(), ElementsAre(1));
    EXPECT_THAT(gpu_.nearest_devices(TopologyLevel::system), ElementsAre(divided_));
    EXPECT_TRUE(gpu_.nearest_devices(TopologyLevel::internal).empty());
    EXPECT_THAT(Device::all_with_cpu_affinity(3), ElementsAre(divided_));
    EXPECT_TRUE(Device::all_with_cpu_affinity(4).empty());
    EXPECT_EQ(topology_common_ancestor(gpu_, divided_), TopologyLevel::host_bridge);
    EXPECT_EQ(p2p_status(gpu_, divided_, P2PCapability::nvlink), P2PStatus::ok);
    EXPECT_EQ(p2p_status(gpu_, divided_, P2PCapability::read), P2PStatus::disabled_by_regkey);
}

TEST_F(SystemDeviceTest, AdvisesHowToAskForMissingFeatures) {
    EXPECT_THAT(error_of([&] { static_cast<void>(gpu_.attributes()); }).what(), HasSubstr("if_supported"));
}

}  // namespace
}  // namespace cubind::testing
