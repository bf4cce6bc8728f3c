// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Prints a table of the GPUs of this machine, as nvidia-smi does, with NVML. It needs a driver and initializes no GPU.

#include <cubind/check.hpp>
#include <cubind/library.hpp>
#include <cubind/nvml.hpp>

#include <cstdio>
#include <string>

#include "example.hpp"

using namespace cubind;
using namespace cubind::nvml;

namespace {

// NVML is initialized during the lifetime of the object.
struct Session {
    Session() { check(nvmlInit()); }
    ~Session() { (void)nvmlShutdown(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
};

// Returns the text of a quantity, or "-" if the device does not report it.
template <class Value>
std::string text(const Result<nvmlReturn_t, Value>& result, double scale, const char* unit) {
    if (result.status == NVML_ERROR_NOT_SUPPORTED) return "-";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.0f %s", static_cast<double>(check(result)) * scale, unit);
    return buffer;
}

int nvml_table() {
    if (library_path(nvml::library()) == nullptr) return example::skip("NVML, which is part of the driver, was not found.");
    const Session session;
    char version[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE] = {};
    check(nvmlSystemGetDriverVersion(version, sizeof version));
    const int cuda = check(nvmlSystemGetCudaDriverVersion());
    std::printf("Driver %s, CUDA %d.%d\n\n", version, cuda / 1000, cuda % 1000 / 10);
    std::printf("%-5s %-32s %8s %8s %24s %6s\n", "GPU", "name", "temp.", "power", "memory", "use");

    bool is_plausible = true;
    const unsigned int count = check(nvmlDeviceGetCount());
    for (unsigned int i = 0; i < count; ++i) {
        const nvmlDevice_t device = check(nvmlDeviceGetHandleByIndex(i));
        char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = {};
        check(nvmlDeviceGetName(device, name, sizeof name));
        const nvmlMemory_t memory = check(nvmlDeviceGetMemoryInfo(device));
        is_plausible = is_plausible && memory.total > 0 && memory.used <= memory.total;
        const auto rates = nvmlDeviceGetUtilizationRates(device);
        const std::string use = rates.ok() ? std::to_string(rates.value.gpu) + " %" : "-";
        std::printf("%-5u %-32s %8s %8s %11llu / %6llu MiB %6s\n", i, name,
                    text(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU), 1, "C").c_str(),
                    text(nvmlDeviceGetPowerUsage(device), 0.001, "W").c_str(), memory.used >> 20, memory.total >> 20,
                    use.c_str());
    }
    return example::verdict(is_plausible && count > 0, "each GPU uses at most as much memory as it has");
}

}  // namespace

int main() {
    try {
        return nvml_table();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return example::failed;
    }
}
