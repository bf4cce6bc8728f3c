// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times readings of a device through cubind::system and through function pointers. benchmarks/core_cost runs this program and
/// compares the times; alternate.hpp has its options.

#include <cubind/nvml/loading.hpp>
#include <cubind/nvml/types.hpp>
#include <cubind/system.hpp>

#include <cstdio>
#include <exception>

#include "../alternate.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind::nvml;

void expect(nvmlReturn_t status) {
    if (status != NVML_SUCCESS) [[unlikely]]
        std::abort();
}

using Number = nvmlReturn_t(nvmlDevice_t, unsigned int*);

/// The functions of 20 values.
struct Functions {
    Number* index = plain<Number>(library(), "nvmlDeviceGetIndex");
    Number* minor = plain<Number>(library(), "nvmlDeviceGetMinorNumber");
    Number* cores = plain<Number>(library(), "nvmlDeviceGetNumGpuCores");
    Number* bus_width = plain<Number>(library(), "nvmlDeviceGetMemoryBusWidth");
    Number* power = plain<Number>(library(), "nvmlDeviceGetPowerUsage");
    Number* power_limit = plain<Number>(library(), "nvmlDeviceGetPowerManagementLimit");
    Number* default_limit = plain<Number>(library(), "nvmlDeviceGetPowerManagementDefaultLimit");
    Number* enforced_limit = plain<Number>(library(), "nvmlDeviceGetEnforcedPowerLimit");
    Number* generation = plain<Number>(library(), "nvmlDeviceGetCurrPcieLinkGeneration");
    Number* max_generation = plain<Number>(library(), "nvmlDeviceGetMaxPcieLinkGeneration");
    Number* width = plain<Number>(library(), "nvmlDeviceGetCurrPcieLinkWidth");
    Number* max_width = plain<Number>(library(), "nvmlDeviceGetMaxPcieLinkWidth");
    nvmlReturn_t (*clock)(nvmlDevice_t, nvmlClockType_t, unsigned int*) =
        plain<nvmlReturn_t(nvmlDevice_t, nvmlClockType_t, unsigned int*)>(library(), "nvmlDeviceGetClockInfo");
    nvmlReturn_t (*max_clock)(nvmlDevice_t, nvmlClockType_t, unsigned int*) =
        plain<nvmlReturn_t(nvmlDevice_t, nvmlClockType_t, unsigned int*)>(library(), "nvmlDeviceGetMaxClockInfo");
    nvmlReturn_t (*memory)(nvmlDevice_t,
                           nvmlMemory_v2_t*) = plain<nvmlReturn_t(nvmlDevice_t, nvmlMemory_v2_t*)>(library(),
                                                                                                   "nvmlDeviceGetMemoryInfo_v2");
    nvmlReturn_t (*utilization)(nvmlDevice_t, nvmlUtilization_t*) =
        plain<nvmlReturn_t(nvmlDevice_t, nvmlUtilization_t*)>(library(), "nvmlDeviceGetUtilizationRates");
    nvmlReturn_t (*name)(nvmlDevice_t, char*,
                         unsigned int) = plain<nvmlReturn_t(nvmlDevice_t, char*, unsigned int)>(library(), "nvmlDeviceGetName");
    nvmlReturn_t (*uuid)(nvmlDevice_t, char*,
                         unsigned int) = plain<nvmlReturn_t(nvmlDevice_t, char*, unsigned int)>(library(), "nvmlDeviceGetUUID");
};

void read_plain(const Functions& functions, nvmlDevice_t device) {
    unsigned int value = 0;
    for (Number* const each : {functions.index, functions.minor, functions.cores, functions.bus_width, functions.power,
                               functions.power_limit, functions.default_limit, functions.enforced_limit, functions.generation,
                               functions.max_generation, functions.width, functions.max_width}) {
        expect(each(device, &value));
        use(value);
    }
    for (const nvmlClockType_t type : {NVML_CLOCK_SM, NVML_CLOCK_MEM}) {
        expect(functions.clock(device, type, &value));
        expect(functions.max_clock(device, type, &value));
        use(value);
    }
    nvmlMemory_v2_t memory{};
    memory.version = static_cast<unsigned int>(sizeof memory | (2U << 24));
    expect(functions.memory(device, &memory));
    nvmlUtilization_t utilization{};
    expect(functions.utilization(device, &utilization));
    char text[96];
    expect(functions.name(device, text, sizeof text));
    use(text);
    expect(functions.uuid(device, text, sizeof text));
    use(text);
}

void read(cubind::system::Device device) {
    use(device.index());
    use(device.minor_number());
    use(device.core_count());
    use(device.memory_bus_width());
    use(device.power().milliwatts());
    use(device.power().limit_milliwatts());
    use(device.power().default_limit_milliwatts());
    use(device.power().enforced_limit_milliwatts());
    use(device.pci().link_generation());
    use(device.pci().max_link_generation());
    use(device.pci().link_width());
    use(device.pci().max_link_width());
    for (const auto type : {cubind::system::ClockType::sm, cubind::system::ClockType::memory}) {
        use(device.clock(type).current_mhz());
        use(device.clock(type).max_mhz());
    }
    use(device.memory_info());
    use(device.utilization());
    use(device.name());
    use(device.uuid());
}

}  // namespace

int main(int argc, char** argv) try {
    Alternation calls(argc, argv);
    const cubind::system::Device device(0u);
    read(device);
    const auto add = [&](const char* way, auto one) { calls.add("readings of 20 values of a device", way, 4, one); };
    add("plain", [functions = Functions(), native = device.native_handle()] { read_plain(functions, native); });
    add("system::Device", [device] { read(device); });
    return calls.run();
} catch (const std::exception& error) {
    std::fprintf(stderr, "no readings of a GPU: %s\n", error.what());
    return 77;
}
