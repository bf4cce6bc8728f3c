// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Each member of cubind::system, with each of its calls failing.
#include <cubind/layers/faults.hpp>

#include <functional>
#include <vector>

#include "system_test.hpp"

namespace cubind::testing {
namespace {

struct Member {
    const char* name;
    std::function<void()> call;
};

std::vector<Member> all_members(system::Device device, system::Device part) {
    return {
        {"driver_version", [=] { static_cast<void>(system::driver_version()); }},
        {"cuda_version", [=] { static_cast<void>(system::cuda_version()); }},
        {"driver_branch", [=] { static_cast<void>(system::driver_branch()); }},
        {"nvml_version", [=] { static_cast<void>(system::nvml_version()); }},
        {"process_name", [=] { static_cast<void>(system::process_name(42)); }},
        {"Device", [=] { static_cast<void>(system::Device(0u)); }},
        {"from_uuid", [=] { static_cast<void>(system::Device::from_uuid("GPU-bbbb")); }},
        {"from_uuid without prefix", [=] { static_cast<void>(system::Device::from_uuid("dddd")); }},
        {"from_pci_bus_id", [=] { static_cast<void>(system::Device::from_pci_bus_id("0000:3b:00.0")); }},
        {"from_serial", [=] { static_cast<void>(system::Device::from_serial("S123")); }},
        {"count", [=] { static_cast<void>(system::Device::count()); }},
        {"all", [=] { static_cast<void>(system::Device::all()); }},
        {"all_with_cpu_affinity", [=] { static_cast<void>(system::Device::all_with_cpu_affinity(3)); }},
        {"index", [=] { static_cast<void>(device.index()); }},
        {"uuid", [=] { static_cast<void>(device.uuid()); }},
        {"uuid_without_prefix", [=] { static_cast<void>(device.uuid_without_prefix()); }},
        {"pci_bus_id", [=] { static_cast<void>(device.pci_bus_id()); }},
        {"name", [=] { static_cast<void>(device.name()); }},
        {"brand", [=] { static_cast<void>(device.brand()); }},
        {"architecture", [=] { static_cast<void>(device.architecture()); }},
        {"compute_capability", [=] { static_cast<void>(device.compute_capability()); }},
        {"serial", [=] { static_cast<void>(device.serial()); }},
        {"module_id", [=] { static_cast<void>(device.module_id()); }},
        {"minor_number", [=] { static_cast<void>(device.minor_number()); }},
        {"vbios_version", [=] { static_cast<void>(device.vbios_version()); }},
        {"core_count", [=] { static_cast<void>(device.core_count()); }},
        {"memory_bus_width", [=] { static_cast<void>(device.memory_bus_width()); }},
        {"fan_count", [=] { static_cast<void>(device.fan_count()); }},
        {"nvlink_count", [=] { static_cast<void>(device.nvlink_count()); }},
        {"nvlinks", [=] { static_cast<void>(device.nvlinks()); }},
        {"memory_info", [=] { static_cast<void>(device.memory_info()); }},
        {"bar1_memory_info", [=] { static_cast<void>(device.bar1_memory_info()); }},
        {"utilization", [=] { static_cast<void>(device.utilization()); }},
        {"encoder_utilization", [=] { static_cast<void>(device.encoder_utilization()); }},
        {"decoder_utilization", [=] { static_cast<void>(device.decoder_utilization()); }},
        {"compute_processes", [=] { static_cast<void>(device.compute_processes()); }},
        {"graphics_processes", [=] { static_cast<void>(device.graphics_processes()); }},
        {"mps_compute_processes", [=] { static_cast<void>(device.mps_compute_processes()); }},
        {"performance_state", [=] { static_cast<void>(device.performance_state()); }},
        {"supported_performance_states", [=] { static_cast<void>(device.supported_performance_states()); }},
        {"dynamic_performance_states", [=] { static_cast<void>(device.dynamic_performance_states()); }},
        {"current_clock_event_reasons", [=] { static_cast<void>(device.current_clock_event_reasons()); }},
        {"supported_clock_event_reasons", [=] { static_cast<void>(device.supported_clock_event_reasons()); }},
        {"auto_boosted_clocks", [=] { static_cast<void>(device.auto_boosted_clocks()); }},
        {"compute_mode", [=] { static_cast<void>(device.compute_mode()); }},
        {"is_persistence_mode_enabled", [=] { static_cast<void>(device.is_persistence_mode_enabled()); }},
        {"is_display_connected", [=] { static_cast<void>(device.is_display_connected()); }},
        {"is_display_active", [=] { static_cast<void>(device.is_display_active()); }},
        {"is_c2c_enabled", [=] { static_cast<void>(device.is_c2c_enabled()); }},
        {"addressing_mode", [=] { static_cast<void>(device.addressing_mode()); }},
        {"repair_status", [=] { static_cast<void>(device.repair_status()); }},
        {"cooler", [=] { static_cast<void>(device.cooler()); }},
        {"numa_node_id", [=] { static_cast<void>(device.numa_node_id()); }},
        {"cpu_affinity", [=] { static_cast<void>(device.cpu_affinity()); }},
        {"memory_affinity", [=] { static_cast<void>(device.memory_affinity()); }},
        {"set_cpu_affinity", [=] { static_cast<void>(device.set_cpu_affinity()); }},
        {"clear_cpu_affinity", [=] { static_cast<void>(device.clear_cpu_affinity()); }},
        {"supported_event_types", [=] { static_cast<void>(device.supported_event_types()); }},
        {"attributes", [=] { static_cast<void>(part.attributes()); }},
        {"set_compute_mode", [=] { static_cast<void>(device.set_compute_mode(system::ComputeMode::prohibited)); }},
        {"set_persistence_mode_enabled", [=] { static_cast<void>(device.set_persistence_mode_enabled(true)); }},
        {"nearest_devices", [=] { static_cast<void>(device.nearest_devices(system::TopologyLevel::system)); }},
        {"field_values",
         [=] {
             static_cast<void>(device.field_values({1, 2}));
         }},
        {"clear_field_values",
         [=] {
             static_cast<void>(device.clear_field_values({1, 2}));
         }},
        {"topology_common_ancestor", [=] { static_cast<void>(system::topology_common_ancestor(device, device)); }},
        {"p2p_status", [=] { static_cast<void>(system::p2p_status(device, device, system::P2PCapability::read)); }},
        {"Clock::current_mhz", [=] { static_cast<void>(device.clock(system::ClockType::sm).current_mhz()); }},
        {"Clock::max_mhz", [=] { static_cast<void>(device.clock(system::ClockType::sm).max_mhz()); }},
        {"Clock::max_customer_boost_mhz",
         [=] { static_cast<void>(device.clock(system::ClockType::sm).max_customer_boost_mhz()); }},
        {"Clock::limits_mhz",
         [=] { static_cast<void>(device.clock(system::ClockType::sm).limits_mhz(system::PerformanceState::p2)); }},
        {"Clock::offset", [=] { static_cast<void>(device.clock(system::ClockType::sm).offset(system::PerformanceState::p2)); }},
        {"Ecc::mode", [=] { static_cast<void>(device.ecc().mode()); }},
        {"Ecc::set_enabled", [=] { static_cast<void>(device.ecc().set_enabled(false)); }},
        {"Ecc::is_enabled_by_default", [=] { static_cast<void>(device.ecc().is_enabled_by_default()); }},
        {"Ecc::error_count", [=] { static_cast<void>(device.ecc().error_count(system::MemoryError::corrected)); }},
        {"Ecc::clear_error_counts",
         [=] { static_cast<void>(device.ecc().clear_error_counts(system::EccCounter::aggregate_count)); }},
        {"Ecc::remapped_rows", [=] { static_cast<void>(device.ecc().remapped_rows()); }},
        {"Fan::speed_percent", [=] { static_cast<void>(device.fan(1).speed_percent()); }},
        {"Fan::set_speed_percent", [=] { static_cast<void>(device.fan(1).set_speed_percent(60)); }},
        {"Fan::set_default_speed", [=] { static_cast<void>(device.fan(1).set_default_speed()); }},
        {"Fan::speed_rpm", [=] { static_cast<void>(device.fan(1).speed_rpm()); }},
        {"Fan::target_speed_percent", [=] { static_cast<void>(device.fan(1).target_speed_percent()); }},
        {"Fan::speed_limits_percent", [=] { static_cast<void>(device.fan(1).speed_limits_percent()); }},
        {"Fan::control_policy", [=] { static_cast<void>(device.fan(1).control_policy()); }},
        {"Fan::set_control_policy", [=] { static_cast<void>(device.fan(1).set_control_policy(system::FanPolicy::manual)); }},
        {"Inforom::version", [=] { static_cast<void>(device.inforom().version(system::InforomObject::ecc)); }},
        {"Inforom::image_version", [=] { static_cast<void>(device.inforom().image_version()); }},
        {"Inforom::configuration_checksum", [=] { static_cast<void>(device.inforom().configuration_checksum()); }},
        {"Inforom::validate", [=] { static_cast<void>(device.inforom().validate()); }},
        {"Inforom::last_flush_time", [=] { static_cast<void>(device.inforom().last_flush_time()); }},
        {"Inforom::last_flush_duration", [=] { static_cast<void>(device.inforom().last_flush_duration()); }},
        {"Inforom::board_part_number", [=] { static_cast<void>(device.inforom().board_part_number()); }},
        {"Mig::is_mig_device", [=] { static_cast<void>(device.mig().is_mig_device()); }},
        {"Mig::mode", [=] { static_cast<void>(device.mig().mode()); }},
        {"Mig::set_enabled", [=] { static_cast<void>(device.mig().set_enabled(true)); }},
        {"Mig::max_device_count", [=] { static_cast<void>(device.mig().max_device_count()); }},
        {"Mig::device", [=] { static_cast<void>(device.mig().device(0)); }},
        {"Mig::devices", [=] { static_cast<void>(device.mig().devices()); }},
        {"Mig::parent", [=] { static_cast<void>(part.mig().parent()); }},
        {"Mig::gpu_instance_id", [=] { static_cast<void>(part.mig().gpu_instance_id()); }},
        {"Mig::compute_instance_id", [=] { static_cast<void>(part.mig().compute_instance_id()); }},
        {"NvLink::is_active", [=] { static_cast<void>(device.nvlink(1).is_active()); }},
        {"NvLink::version", [=] { static_cast<void>(device.nvlink(1).version()); }},
        {"NvLink::has", [=] { static_cast<void>(device.nvlink(1).has(system::NvLinkCapability::p2p_atomics)); }},
        {"NvLink::error_count", [=] { static_cast<void>(device.nvlink(1).error_count(system::NvLinkErrorCounter::dl_replay)); }},
        {"NvLink::reset_error_counts", [=] { static_cast<void>(device.nvlink(1).reset_error_counts()); }},
        {"NvLink::remote_device_type", [=] { static_cast<void>(device.nvlink(1).remote_device_type()); }},
        {"NvLink::remote_pci_info", [=] { static_cast<void>(device.nvlink(1).remote_pci_info()); }},
        {"Pci::info", [=] { static_cast<void>(device.pci().info()); }},
        {"Pci::device_class", [=] { static_cast<void>(device.pci().device_class()); }},
        {"Pci::link_generation", [=] { static_cast<void>(device.pci().link_generation()); }},
        {"Pci::max_link_generation", [=] { static_cast<void>(device.pci().max_link_generation()); }},
        {"Pci::device_max_link_generation", [=] { static_cast<void>(device.pci().device_max_link_generation()); }},
        {"Pci::link_width", [=] { static_cast<void>(device.pci().link_width()); }},
        {"Pci::max_link_width", [=] { static_cast<void>(device.pci().max_link_width()); }},
        {"Pci::link_speed_mbps", [=] { static_cast<void>(device.pci().link_speed_mbps()); }},
        {"Pci::throughput_kib_per_second",
         [=] { static_cast<void>(device.pci().throughput_kib_per_second(system::PcieCounter::received)); }},
        {"Pci::replay_count", [=] { static_cast<void>(device.pci().replay_count()); }},
        {"Power::milliwatts", [=] { static_cast<void>(device.power().milliwatts()); }},
        {"Power::limit_milliwatts", [=] { static_cast<void>(device.power().limit_milliwatts()); }},
        {"Power::set_limit_milliwatts", [=] { static_cast<void>(device.power().set_limit_milliwatts(250000)); }},
        {"Power::default_limit_milliwatts", [=] { static_cast<void>(device.power().default_limit_milliwatts()); }},
        {"Power::enforced_limit_milliwatts", [=] { static_cast<void>(device.power().enforced_limit_milliwatts()); }},
        {"Power::limits_milliwatts", [=] { static_cast<void>(device.power().limits_milliwatts()); }},
        {"Power::total_energy_millijoules", [=] { static_cast<void>(device.power().total_energy_millijoules()); }},
        {"Temperature::celsius", [=] { static_cast<void>(device.temperature().celsius()); }},
        {"Temperature::threshold_celsius",
         [=] { static_cast<void>(device.temperature().threshold_celsius(system::TemperatureThreshold::slowdown)); }},
        {"Temperature::margin_celsius", [=] { static_cast<void>(device.temperature().margin_celsius()); }},
        {"Temperature::sensors", [=] { static_cast<void>(device.temperature().sensors()); }},
        {"register_events", [=] { static_cast<void>(device.register_events(system::EventType::clock)); }},
        {"DeviceEvents", [=] { static_cast<void>(system::DeviceEvents()); }},
        {"DeviceEvents::close", [=] { static_cast<void>(system::DeviceEvents().close()); }},
        {"DeviceEvents::wait", [=] { static_cast<void>(system::DeviceEvents().wait(std::chrono::milliseconds(5))); }},
        {"SystemEvents", [=] { static_cast<void>(system::SystemEvents(system::SystemEventType::gpu_driver_bind)); }},
        {"SystemEvents::close",
         [=] { static_cast<void>(system::SystemEvents(system::SystemEventType::gpu_driver_bind).close()); }},
        {"SystemEvents::wait",
         [=] {
             static_cast<void>(system::SystemEvents(system::SystemEventType::gpu_driver_bind).wait(std::chrono::milliseconds(5)));
         }},
    };
}

class SystemSweepTest : public SystemTest {
protected:
    SystemSweepTest() { static_cast<void>(system::Device::count()); }  // NVML is initialized before the faults start

    /// Makes each call of each member fail with `status`. Expects that the member throws an Error which names the function, and
    /// leaves no set of events.
    void sweep(nvmlReturn_t status, const std::function<void(const Error&)>& check_error) {
        for (const Member& member : all_members(divided_, system::Device(part_handle(0)))) {
            SCOPED_TRACE(member.name);
            std::size_t thrown = 0;
            // A destructor ignores that a set could not be freed; EventsTest covers close().
            const std::size_t faults = layers::faults::fail_each_call(
                [&] {
                    try {
                        member.call();
                    } catch (const Error& error) {
                        ++thrown;
                        EXPECT_EQ(error.code(), status);
                        EXPECT_EQ(error.function().substr(0, 4), "nvml");
                        check_error(error);
                        throw;
                    }
                },
                {.status = static_cast<int>(status),
                 .except = {"nvmlEventSetFree", "nvmlSystemEventSetFree"},
                 .after = [](const layers::faults::Fault&) { EXPECT_EQ(living_sets(), 0); }});
            EXPECT_EQ(thrown, faults);
            EXPECT_GT(faults, 0u);
        }
    }
};

TEST_F(SystemSweepTest, EveryFailedCallIsAnError) {
    sweep(nvml::NVML_ERROR_UNKNOWN, [](const Error&) {});
}

TEST_F(SystemSweepTest, EveryFailedCallForLackOfPermissionHasAdvice) {
    sweep(nvml::NVML_ERROR_NO_PERMISSION,
          [](const Error& error) { EXPECT_THAT(error.what(), ::testing::HasSubstr("administrator")); });
}

TEST_F(SystemSweepTest, SucceedsWithoutFaults) {
    for (const Member& member : all_members(divided_, system::Device(part_handle(0)))) {
        SCOPED_TRACE(member.name);
        EXPECT_NO_THROW(member.call());
    }
    EXPECT_EQ(living_sets(), 0);
}

}  // namespace
}  // namespace cubind::testing
