// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "system_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace system;

class SystemPartTest : public SystemTest {};

TEST_F(SystemPartTest, ReadsClocks) {
    const Clock memory = gpu_.clock(ClockType::memory);
    EXPECT_EQ(memory.type(), ClockType::memory);
    EXPECT_EQ(memory.current_mhz(), 1002u);
    EXPECT_EQ(memory.max_mhz(), 2002u);
    EXPECT_EQ(memory.max_customer_boost_mhz(), 3002u);
    EXPECT_EQ(memory.limits_mhz(PerformanceState::p5).min, 202u);
    EXPECT_EQ(memory.limits_mhz(PerformanceState::p5).max, 405u);
    const ClockOffset offset = memory.offset(PerformanceState::p8);
    EXPECT_THAT((std::vector{offset.mhz, offset.min_mhz, offset.max_mhz}), ElementsAre(10, -100, 100));
}

TEST_F(SystemPartTest, ReadsAndSetsFans) {
    const Fan fan = gpu_.fan(1);
    EXPECT_EQ(fan.index(), 1u);
    EXPECT_EQ(fan.speed_percent(), 41u);
    EXPECT_EQ(fan.target_speed_percent(), 51u);
    EXPECT_EQ(fan.speed_rpm(), 1501u);
    EXPECT_EQ(fan.speed_limits_percent().min, 30u);
    EXPECT_EQ(fan.speed_limits_percent().max, 100u);
    EXPECT_EQ(fan.control_policy(), FanPolicy::manual);
    EXPECT_NO_THROW(fan.set_speed_percent(60));
    EXPECT_NO_THROW(fan.set_default_speed());
    EXPECT_NO_THROW(fan.set_control_policy(FanPolicy::manual));
    EXPECT_EQ(error_of([&] { fan.set_control_policy(FanPolicy::temperature); }).code(), nvml::NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(SystemPartTest, ReadsTemperatures) {
    const Temperature temperature = gpu_.temperature();
    EXPECT_EQ(temperature.celsius(), -7);
    EXPECT_EQ(temperature.threshold_celsius(TemperatureThreshold::memory_max), 92);
    EXPECT_EQ(temperature.margin_celsius(), 23);
    ASSERT_EQ(temperature.sensors().size(), 1u);
    const ThermalSensor sensor = temperature.sensors().front();
    EXPECT_EQ(sensor.controller, ThermalController::adm1032);
    EXPECT_EQ(sensor.target, ThermalTarget::board);
    EXPECT_THAT((std::vector{sensor.celsius, sensor.min_celsius, sensor.max_celsius}), ElementsAre(55, 1, 120));
}

TEST_F(SystemPartTest, ReadsTheTemperatureOfOlderDrivers) {
    remove("nvmlDeviceGetTemperatureV");
    EXPECT_EQ(gpu_.temperature().celsius(), 66);
    remove("nvmlDeviceGetMarginTemperature");
    EXPECT_THAT(error_of([&] { static_cast<void>(gpu_.temperature().margin_celsius()); }).what(), HasSubstr("12.8"));
}

TEST_F(SystemPartTest, ReadsAndLimitsPower) {
    const Power power = gpu_.power();
    EXPECT_EQ(power.milliwatts(), 201000u);
    EXPECT_EQ(power.limit_milliwatts(), 202000u);
    EXPECT_EQ(power.default_limit_milliwatts(), 203000u);
    EXPECT_EQ(power.enforced_limit_milliwatts(), 204000u);
    EXPECT_EQ(power.limits_milliwatts().min, 100000u);
    EXPECT_EQ(power.limits_milliwatts().max, 700000u);
    EXPECT_EQ(power.total_energy_millijoules(), 1ull << 40);
    EXPECT_NO_THROW(power.set_limit_milliwatts(250000));
}

TEST_F(SystemPartTest, ReadsErrorCorrection) {
    const Ecc ecc = gpu_.ecc();
    EXPECT_TRUE(ecc.mode().is_enabled);
    EXPECT_FALSE(ecc.mode().will_be_enabled);
    EXPECT_TRUE(ecc.is_enabled_by_default());
    EXPECT_EQ(ecc.error_count(MemoryError::uncorrected), 10u);
    EXPECT_EQ(ecc.error_count(MemoryError::corrected, EccCounter::aggregate_count), 1u);
    EXPECT_NO_THROW(ecc.set_enabled(false));
    EXPECT_NO_THROW(ecc.clear_error_counts(EccCounter::aggregate_count));
    const RemappedRows rows = ecc.remapped_rows();
    EXPECT_EQ(rows.correctable, 8u);
    EXPECT_EQ(rows.uncorrectable, 9u);
    EXPECT_TRUE(rows.is_pending);
    EXPECT_FALSE(rows.has_failed);
}

TEST_F(SystemPartTest, ReadsTheInforom) {
    const Inforom inforom = gpu_.inforom();
    EXPECT_EQ(inforom.version(InforomObject::ecc), "7.16");
    EXPECT_EQ(inforom.version(InforomObject::oem), "2.1");
    EXPECT_EQ(inforom.image_version(), "G520.0200.00.05");
    EXPECT_EQ(inforom.configuration_checksum(), 0xabcdu);
    EXPECT_NO_THROW(inforom.validate());
    EXPECT_EQ(inforom.last_flush_time(), std::chrono::microseconds(1700000000000000));
    EXPECT_EQ(inforom.last_flush_duration(), std::chrono::microseconds(250));
    EXPECT_EQ(inforom.board_part_number(), "900-21010");
}

TEST_F(SystemPartTest, ReadsThePciConnection) {
    const Pci pci = gpu_.pci();
    const PciInfo info = pci.info();
    EXPECT_THAT((std::vector{info.domain, info.bus, info.device}), ElementsAre(1, 0x3b, 2));
    EXPECT_THAT((std::vector{info.vendor_id, info.device_id}), ElementsAre(0x10de, 0x2335));
    EXPECT_THAT((std::vector{info.subsystem_vendor_id, info.subsystem_id}), ElementsAre(0x10df, 0x18be));
    EXPECT_EQ(info.bus_id, "00000001:3B:02.0");
    EXPECT_EQ(pci.device_class().base_class, 3u);
    EXPECT_EQ(pci.device_class().sub_class, 2u);
    EXPECT_EQ(pci.link_generation(), 4u);
    EXPECT_EQ(pci.max_link_generation(), 5u);
    EXPECT_EQ(pci.device_max_link_generation(), 6u);
    EXPECT_EQ(pci.link_width(), 8u);
    EXPECT_EQ(pci.max_link_width(), 16u);
    EXPECT_EQ(pci.link_speed_mbps(), 16000u);
    EXPECT_EQ(pci.throughput_kib_per_second(PcieCounter::transmitted), 500u);
    EXPECT_EQ(pci.throughput_kib_per_second(PcieCounter::received), 501u);
    EXPECT_EQ(pci.replay_count(), 77u);
}

TEST_F(SystemPartTest, ReadsLinks) {
    const NvLink link = gpu_.nvlink(1);
    EXPECT_TRUE(link.is_active());
    EXPECT_FALSE(gpu_.nvlink(0).is_active());
    EXPECT_EQ(link.version(), 5u);
    EXPECT_TRUE(link.has(NvLinkCapability::p2p_atomics));
    EXPECT_FALSE(link.has(NvLinkCapability::sli_bridge));
    EXPECT_EQ(link.error_count(NvLinkErrorCounter::dl_crc_data), 13u);
    EXPECT_EQ(link.remote_device_type(), NvLinkDeviceType::nvswitch);
    EXPECT_EQ(link.remote_pci_info().device_id, 0x2335u);
    EXPECT_NO_THROW(link.reset_error_counts());
}

TEST_F(SystemPartTest, ListsThePartsOfADividedGpu) {
    EXPECT_TRUE(divided_.mig().mode().is_enabled);
    EXPECT_FALSE(gpu_.mig().mode().is_enabled);
    EXPECT_TRUE(gpu_.mig().mode().will_be_enabled);
    EXPECT_EQ(divided_.mig().max_device_count(), 3u);
    const std::vector<system::Device> parts = divided_.mig().devices();
    EXPECT_THAT(parts, ElementsAre(system::Device(part_handle(0)), system::Device(part_handle(2))));
    EXPECT_TRUE(gpu_.mig().devices().empty());
    EXPECT_EQ(divided_.mig().device(2), parts[1]);
    EXPECT_EQ(error_of([&] { static_cast<void>(divided_.mig().device(1)); }).code(), nvml::NVML_ERROR_NOT_FOUND);
    EXPECT_TRUE(parts[0].mig().is_mig_device());
    EXPECT_FALSE(divided_.mig().is_mig_device());
    EXPECT_EQ(parts[0].mig().parent(), divided_);
    EXPECT_EQ(parts[0].mig().gpu_instance_id(), 13u);
    EXPECT_EQ(parts[0].mig().compute_instance_id(), 14u);
}

TEST_F(SystemPartTest, ReportsAModeThatIsNotActive) {
    EXPECT_NO_THROW(gpu_.mig().set_enabled(true));
    const Error error = error_of([&] { gpu_.mig().set_enabled(false); });
    EXPECT_EQ(error.code(), nvml::NVML_ERROR_IN_USE);
    EXPECT_THAT(error.what(), HasSubstr("restart"));
}

}  // namespace
}  // namespace cubind::testing
