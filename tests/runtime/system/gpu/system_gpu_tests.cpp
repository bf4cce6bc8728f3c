// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Reads each member of cubind::system on the GPUs of this machine and compares the result with that of NVML's own function. What
// a device does not support must fail with the same status. Changes no setting.

#include <cubind/nvml.hpp>
#include <cubind/system.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cubind::testing {
namespace {

using nvml::nvmlDevice_t;
using nvml::nvmlReturn_t;
using namespace system;

class SystemGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            devices_ = system::Device::all();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        if (devices_.empty()) GTEST_SKIP() << "NVML lists no device";
    }
    /// Calls `test` for each device.
    template <class Test>
    void each(Test test) {
        for (system::Device device : devices_) test(device, device.native_handle());
    }
    std::vector<system::Device> devices_;
};

/// Expects that the query fails with the status of NVML's function, or that `compare` accepts its result.
template <class Query, class Compare>
void expect_like(const char* name, nvmlReturn_t status, Query query, Compare compare) {
    SCOPED_TRACE(name);
    try {
        const auto result = query();
        EXPECT_EQ(status, nvml::NVML_SUCCESS);
        if (status == nvml::NVML_SUCCESS) compare(result);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), status) << error.what();
    }
    std::printf("%-45s %s\n", name, nvml::to_string(status));
}

/// Expects the value of NVML's function, converted to a number.
template <class Query, class Value>
void expect_value(const char* name, const Result<nvmlReturn_t, Value>& result, Query query) {
    expect_like(name, result.status, query,
                [&](const auto& found) { EXPECT_EQ(static_cast<long long>(found), static_cast<long long>(result.value)); });
}

/// Expects the text of NVML's function.
template <class Native, class Query>
void expect_text(const char* name, Native native, Query query) {
    char buffer[128] = {};
    expect_like(name, native(buffer).status, query, [&](const std::string& found) { EXPECT_EQ(found, buffer); });
}

TEST_F(SystemGpuTest, ReadsTheMachine) {
    expect_text(
        "driver_version", [](char* text) { return nvml::nvmlSystemGetDriverVersion(text, 80); }, driver_version);
    expect_text(
        "nvml_version", [](char* text) { return nvml::nvmlSystemGetNVMLVersion(text, 80); }, nvml_version);
    const auto cuda = nvml::nvmlSystemGetCudaDriverVersion_v2();
    expect_value("cuda_version", cuda, [] { return cuda_version().major * 1000 + cuda_version().minor * 10; });
    const auto branch = nvml::nvmlSystemGetDriverBranch({}, 80);
    expect_like("driver_branch", branch.status, driver_branch,
                [&](const std::string& text) { EXPECT_EQ(text, branch.value.branch); });
    EXPECT_EQ(system::Device::count(), devices_.size());
    std::printf("driver %s, NVML %s\n", driver_version().c_str(), nvml_version().c_str());
}

TEST_F(SystemGpuTest, FindsDevices) {
    each([&](system::Device device, nvmlDevice_t) {
        EXPECT_EQ(system::Device(device.index()), device);
        EXPECT_EQ(system::Device::from_uuid(device.uuid()), device);
        EXPECT_EQ(system::Device::from_uuid(device.uuid_without_prefix()), device);
        EXPECT_EQ(system::Device::from_pci_bus_id(device.pci_bus_id()), device);
    });
    EXPECT_THROW(static_cast<void>(system::Device(static_cast<unsigned int>(devices_.size()))), std::invalid_argument);
}

TEST_F(SystemGpuTest, ReadsTexts) {
    each([](system::Device d, nvmlDevice_t h) {
        expect_text(
            "name", [&](char* text) { return nvml::nvmlDeviceGetName(h, text, 96); }, [&] { return d.name(); });
        expect_text(
            "uuid", [&](char* text) { return nvml::nvmlDeviceGetUUID(h, text, 96); }, [&] { return d.uuid(); });
        expect_text(
            "serial", [&](char* text) { return nvml::nvmlDeviceGetSerial(h, text, 30); }, [&] { return d.serial(); });
        expect_text(
            "vbios_version", [&](char* text) { return nvml::nvmlDeviceGetVbiosVersion(h, text, 32); },
            [&] { return d.vbios_version(); });
        expect_text(
            "inforom().image_version", [&](char* text) { return nvml::nvmlDeviceGetInforomImageVersion(h, text, 16); },
            [&] { return d.inforom().image_version(); });
        expect_text(
            "inforom().version",
            [&](char* text) { return nvml::nvmlDeviceGetInforomVersion(h, nvml::NVML_INFOROM_ECC, text, 16); },
            [&] { return d.inforom().version(InforomObject::ecc); });
        expect_text(
            "inforom().board_part_number", [&](char* text) { return nvml::nvmlDeviceGetBoardPartNumber(h, text, 80); },
            [&] { return d.inforom().board_part_number(); });
    });
}

TEST_F(SystemGpuTest, ReadsNumbersThatDoNotChange) {
    each([](system::Device d, nvmlDevice_t h) {
        expect_value("index", nvml::nvmlDeviceGetIndex(h), [&] { return d.index(); });
        expect_value("brand", nvml::nvmlDeviceGetBrand(h), [&] { return d.brand(); });
        expect_value("architecture", nvml::nvmlDeviceGetArchitecture(h), [&] { return d.architecture(); });
        expect_value("module_id", nvml::nvmlDeviceGetModuleId(h), [&] { return d.module_id(); });
        expect_value("minor_number", nvml::nvmlDeviceGetMinorNumber(h), [&] { return d.minor_number(); });
        expect_value("core_count", nvml::nvmlDeviceGetNumGpuCores(h), [&] { return d.core_count(); });
        expect_value("memory_bus_width", nvml::nvmlDeviceGetMemoryBusWidth(h), [&] { return d.memory_bus_width(); });
        expect_value("fan_count", nvml::nvmlDeviceGetNumFans(h), [&] { return d.fan_count(); });
        expect_value("numa_node_id", nvml::nvmlDeviceGetNumaNodeId(h), [&] { return d.numa_node_id(); });
        expect_value("compute_mode", nvml::nvmlDeviceGetComputeMode(h), [&] { return d.compute_mode(); });
        expect_value("is_persistence_mode_enabled", nvml::nvmlDeviceGetPersistenceMode(h),
                     [&] { return d.is_persistence_mode_enabled(); });
        expect_value("is_display_connected", nvml::nvmlDeviceGetDisplayMode(h), [&] { return d.is_display_connected(); });
        expect_value("is_display_active", nvml::nvmlDeviceGetDisplayActive(h), [&] { return d.is_display_active(); });
        expect_value("supported_clock_event_reasons", nvml::nvmlDeviceGetSupportedClocksThrottleReasons(h),
                     [&] { return d.supported_clock_event_reasons().bits(); });
        expect_value("clock().max_mhz", nvml::nvmlDeviceGetMaxClockInfo(h, nvml::NVML_CLOCK_SM),
                     [&] { return d.clock(ClockType::sm).max_mhz(); });
        expect_value("clock().max_customer_boost_mhz", nvml::nvmlDeviceGetMaxCustomerBoostClock(h, nvml::NVML_CLOCK_SM),
                     [&] { return d.clock(ClockType::sm).max_customer_boost_mhz(); });
        expect_value("ecc().is_enabled_by_default", nvml::nvmlDeviceGetDefaultEccMode(h),
                     [&] { return d.ecc().is_enabled_by_default(); });
        expect_value("ecc().error_count",
                     nvml::nvmlDeviceGetTotalEccErrors(h, nvml::NVML_MEMORY_ERROR_TYPE_UNCORRECTED, nvml::NVML_VOLATILE_ECC),
                     [&] { return d.ecc().error_count(MemoryError::uncorrected); });
        expect_value("inforom().configuration_checksum", nvml::nvmlDeviceGetInforomConfigurationChecksum(h),
                     [&] { return d.inforom().configuration_checksum(); });
        expect_value("mig().is_mig_device", nvml::nvmlDeviceIsMigDeviceHandle(h), [&] { return d.mig().is_mig_device(); });
        expect_value("mig().max_device_count", nvml::nvmlDeviceGetMaxMigDeviceCount(h),
                     [&] { return d.mig().max_device_count(); });
        expect_value("pci().max_link_generation", nvml::nvmlDeviceGetMaxPcieLinkGeneration(h),
                     [&] { return d.pci().max_link_generation(); });
        expect_value("pci().device_max_link_generation", nvml::nvmlDeviceGetGpuMaxPcieLinkGeneration(h),
                     [&] { return d.pci().device_max_link_generation(); });
        expect_value("pci().max_link_width", nvml::nvmlDeviceGetMaxPcieLinkWidth(h), [&] { return d.pci().max_link_width(); });
        expect_value("pci().replay_count", nvml::nvmlDeviceGetPcieReplayCounter(h), [&] { return d.pci().replay_count(); });
        expect_value("power().limit_milliwatts", nvml::nvmlDeviceGetPowerManagementLimit(h),
                     [&] { return d.power().limit_milliwatts(); });
        expect_value("power().default_limit_milliwatts", nvml::nvmlDeviceGetPowerManagementDefaultLimit(h),
                     [&] { return d.power().default_limit_milliwatts(); });
        expect_value("power().enforced_limit_milliwatts", nvml::nvmlDeviceGetEnforcedPowerLimit(h),
                     [&] { return d.power().enforced_limit_milliwatts(); });
        expect_value("temperature().threshold_celsius",
                     nvml::nvmlDeviceGetTemperatureThreshold(h, nvml::NVML_TEMPERATURE_THRESHOLD_SHUTDOWN),
                     [&] { return d.temperature().threshold_celsius(TemperatureThreshold::shutdown); });
    });
}

TEST_F(SystemGpuTest, ReadsPairs) {
    each([](system::Device d, nvmlDevice_t h) {
        const auto capability = nvml::nvmlDeviceGetCudaComputeCapability(h);
        const auto [status, major, minor] = capability;
        EXPECT_EQ(status, nvml::NVML_SUCCESS);
        EXPECT_EQ(d.compute_capability(), (Version{major, minor}));
        const auto ecc = nvml::nvmlDeviceGetEccMode(h);
        expect_like(
            "ecc().mode", ecc.status, [&] { return d.ecc().mode(); }, [](const PendingSwitch&) {});
        const auto mig = nvml::nvmlDeviceGetMigMode(h);
        expect_like(
            "mig().mode", mig.status, [&] { return d.mig().mode(); }, [](const PendingSwitch&) {});
        const auto rows = nvml::nvmlDeviceGetRemappedRows(h);
        expect_like(
            "ecc().remapped_rows", rows.status, [&] { return d.ecc().remapped_rows(); }, [](const RemappedRows&) {});
        const auto boost = nvml::nvmlDeviceGetAutoBoostedClocksEnabled(h);
        expect_like(
            "auto_boosted_clocks", boost.status, [&] { return d.auto_boosted_clocks(); }, [](const DefaultedSwitch&) {});
        const auto flush = nvml::nvmlDeviceGetLastBBXFlushTime(h);
        expect_like(
            "inforom().last_flush_time", flush.status, [&] { return d.inforom().last_flush_time().count(); }, [](auto) {});
    });
}

TEST_F(SystemGpuTest, ReadsValuesThatChange) {
    each([](system::Device d, nvmlDevice_t h) {
        const auto temperature = nvml::nvmlDeviceGetTemperature(h, nvml::NVML_TEMPERATURE_GPU);
        expect_like(
            "temperature().celsius", temperature.status, [&] { return d.temperature().celsius(); },
            [&](int celsius) { EXPECT_NEAR(celsius, static_cast<int>(temperature.value), 10); });
        const auto power = nvml::nvmlDeviceGetPowerUsage(h);
        expect_like(
            "power().milliwatts", power.status, [&] { return d.power().milliwatts(); },
            [](unsigned int milliwatts) { EXPECT_LT(milliwatts, 5000000u); });
        const auto energy = nvml::nvmlDeviceGetTotalEnergyConsumption(h);
        expect_like(
            "power().total_energy_millijoules", energy.status, [&] { return d.power().total_energy_millijoules(); },
            [&](unsigned long long millijoules) { EXPECT_GE(millijoules, energy.value); });
        const auto memory = nvml::nvmlDeviceGetMemoryInfo_v2(h, {});
        expect_like(
            "memory_info", memory.status, [&] { return d.memory_info(); },
            [&](const MemoryInfo& info) {
                EXPECT_EQ(info.total, memory.value.total);
                EXPECT_EQ(info.reserved, memory.value.reserved);
                EXPECT_EQ(info.total, info.free + info.used + info.reserved);
            });
        const auto rates = nvml::nvmlDeviceGetUtilizationRates(h);
        expect_like(
            "utilization", rates.status, [&] { return d.utilization(); },
            [](const Utilization& found) {
                EXPECT_LE(found.gpu, 100u);
                EXPECT_LE(found.memory, 100u);
            });
        const auto reasons = nvml::nvmlDeviceGetCurrentClocksThrottleReasons(h);
        expect_like(
            "current_clock_event_reasons", reasons.status, [&] { return d.current_clock_event_reasons().bits(); }, [](auto) {});
        const auto margin = nvml::nvmlDeviceGetMarginTemperature(h, {});
        expect_like(
            "temperature().margin_celsius", margin.status, [&] { return d.temperature().margin_celsius(); }, [](int) {});
        const auto thermal = nvml::nvmlDeviceGetThermalSettings(h, nvml::NVML_THERMAL_TARGET_ALL);
        expect_like(
            "temperature().sensors", thermal.status, [&] { return d.temperature().sensors(); },
            [&](const auto& sensors) { EXPECT_EQ(sensors.size(), thermal.value.count); });
        const auto dynamic = nvml::nvmlDeviceGetDynamicPstatesInfo(h);
        expect_like(
            "dynamic_performance_states", dynamic.status, [&] { return d.dynamic_performance_states(); },
            [](const DynamicPerformanceStates& states) { EXPECT_LE(states.gpu.percent, 100u); });
    });
}

TEST_F(SystemGpuTest, ReadsStructs) {
    each([](system::Device d, nvmlDevice_t h) {
        const auto pci = nvml::nvmlDeviceGetPciInfo_v3(h);
        expect_like(
            "pci().info", pci.status, [&] { return d.pci().info(); },
            [&](const PciInfo& info) {
                EXPECT_EQ(info.vendor_id, 0x10deu);
                EXPECT_EQ(info.device_id << 16 | info.vendor_id, pci.value.pciDeviceId);
                EXPECT_EQ(info.bus_id, pci.value.busId);
            });
        const auto extended = nvml::nvmlDeviceGetPciInfoExt(h, {});
        expect_like(
            "pci().device_class", extended.status, [&] { return d.pci().device_class(); },
            [](const PciClass& found) { EXPECT_EQ(found.base_class, 3u); });
        const auto bar1 = nvml::nvmlDeviceGetBAR1MemoryInfo(h);
        expect_like(
            "bar1_memory_info", bar1.status, [&] { return d.bar1_memory_info(); },
            [&](const Bar1MemoryInfo& info) { EXPECT_EQ(info.total, bar1.value.bar1Total); });
        expect_like(
            "attributes", nvml::nvmlDeviceGetAttributes_v2(h).status, [&] { return d.attributes(); }, [](const auto&) {});
        const auto repair = nvml::nvmlDeviceGetRepairStatus(h, {});
        expect_like(
            "repair_status", repair.status, [&] { return d.repair_status(); }, [](const auto&) {});
        const auto cooler = nvml::nvmlDeviceGetCoolerInfo(h, {});
        expect_like(
            "cooler", cooler.status, [&] { return d.cooler(); }, [](const auto&) {});
        const auto c2c = nvml::nvmlDeviceGetC2cModeInfoV(h);
        expect_like(
            "is_c2c_enabled", c2c.status, [&] { return d.is_c2c_enabled(); },
            [&](bool enabled) { EXPECT_EQ(enabled, c2c.value.isC2cEnabled != 0); });
        nvml::nvmlClockOffset_t query{};
        query.type = nvml::NVML_CLOCK_GRAPHICS;
        query.pstate = nvml::NVML_PSTATE_0;
        const auto offset = nvml::nvmlDeviceGetClockOffsets(h, query);
        expect_like(
            "clock().offset", offset.status, [&] { return d.clock(ClockType::graphics).offset(PerformanceState::p0); },
            [&](const ClockOffset& found) { EXPECT_EQ(found.mhz, offset.value.clockOffsetMHz); });
    });
}

TEST_F(SystemGpuTest, ReadsAffinityTopologyProcessesAndLinks) {
    each([&](system::Device d, nvmlDevice_t h) {
        unsigned long words[64] = {};
        expect_like(
            "cpu_affinity", nvml::nvmlDeviceGetCpuAffinityWithinScope(h, 64, words, 0).status, [&] { return d.cpu_affinity(); },
            [&](const std::vector<unsigned int>& cpus) {
                for (unsigned int cpu : cpus) EXPECT_TRUE(cpu >= 64 * 64 || (words[cpu / 64] >> cpu % 64 & 1) != 0);
                EXPECT_FALSE(cpus.empty());
            });
        expect_like(
            "memory_affinity", nvml::nvmlDeviceGetMemoryAffinity(h, 64, words, 0).status, [&] { return d.memory_affinity(); },
            [](const auto&) {});
        for (system::Device other : devices_) {
            if (other == d) continue;
            const auto ancestor = nvml::nvmlDeviceGetTopologyCommonAncestor(h, other.native_handle());
            expect_value("topology_common_ancestor", ancestor, [&] { return topology_common_ancestor(d, other); });
            const auto p2p = nvml::nvmlDeviceGetP2PStatus(h, other.native_handle(), nvml::NVML_P2P_CAPS_INDEX_NVLINK);
            expect_value("p2p_status", p2p, [&] { return p2p_status(d, other, P2PCapability::nvlink); });
        }
        const auto nearest = nvml::nvmlDeviceGetTopologyNearestGpus(h, nvml::NVML_TOPOLOGY_SYSTEM, 0, nullptr);
        expect_like(
            "nearest_devices", nearest.status, [&] { return d.nearest_devices(TopologyLevel::system); },
            [&](const auto& found) { EXPECT_EQ(found.size(), nearest.value); });
        std::vector<nvml::nvmlProcessInfo_t> infos(256);
        const auto processes = nvml::nvmlDeviceGetComputeRunningProcesses_v3(h, 256, infos.data());
        expect_like(
            "compute_processes", processes.status, [&] { return d.compute_processes(); },
            [](const auto& found) {
                for (const ProcessInfo& each : found) EXPECT_NE(each.pid, 0u);
            });
        expect_like(
            "graphics_processes", nvml::nvmlDeviceGetGraphicsRunningProcesses_v3(h, 256, infos.data()).status,
            [&] { return d.graphics_processes(); }, [](const auto&) {});
        EXPECT_LE(d.mig().devices().size(), d.mig().max_device_count());
        for (NvLink link : d.nvlinks()) {
            expect_value("nvlink().is_active", nvml::nvmlDeviceGetNvLinkState(h, link.index()), [&] { return link.is_active(); });
            expect_value("nvlink().version", nvml::nvmlDeviceGetNvLinkVersion(h, link.index()), [&] { return link.version(); });
        }
        const std::vector<FieldValue> fields =
            d.field_values({nvml::NVML_FI_DEV_PCIE_REPLAY_COUNTER, nvml::NVML_FI_DEV_MEMORY_TEMP});
        EXPECT_EQ(fields.size(), 2u);
        for (const FieldValue& value : fields) EXPECT_EQ(value.is_available(), value.status() == nvml::NVML_SUCCESS);
    });
    EXPECT_FALSE(process_name(static_cast<unsigned int>(getpid())).empty());
}

TEST_F(SystemGpuTest, WaitsForEvents) {
    each([](system::Device d, nvmlDevice_t h) {
        const auto types = nvml::nvmlDeviceGetSupportedEventTypes(h);
        expect_value("supported_event_types", types, [&] { return d.supported_event_types().bits(); });
        if (types.status != nvml::NVML_SUCCESS || types.value == 0) return;
        DeviceEvents events = d.register_events(d.supported_event_types());
        static_cast<void>(events.wait(std::chrono::milliseconds(10)));
        EXPECT_NO_THROW(events.close());
    });
    if (nvml::has(nvml::nvmlSystemEventSetCreate)) {
        const auto events = if_supported([] { return SystemEvents(SystemEventType::gpu_driver_bind); });
        std::printf("SystemEvents: %s\n", events ? "supported" : "not supported");
    }
}

}  // namespace
}  // namespace cubind::testing
