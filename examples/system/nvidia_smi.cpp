// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Prints the GPUs of this machine and their processes, as nvidia-smi does. It initializes no GPU and creates no context.
//
//     nvidia_smi               prints once
//     nvidia_smi --live 2      prints every 2 seconds until it is interrupted

#include <cubind/system.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace cubind;
using system::if_supported;

namespace {

constexpr int passed = 0;
constexpr int failed = 1;
constexpr int skipped = 77;  // the exit code that test runners report as skipped

// Returns the text of a quantity, or "-" if the device does not report it.
std::string text(std::optional<double> value, const char* unit) {
    if (!value) return "-";
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.0f %s", *value, unit);
    return buffer;
}

void print_device(system::Device device) {
    const auto celsius = if_supported([&] { return double{1} * device.temperature().celsius(); });
    const auto watts = if_supported([&] { return device.power().milliwatts() / 1000.0; });
    const auto limit = if_supported([&] { return device.power().enforced_limit_milliwatts() / 1000.0; });
    const auto load = if_supported([&] { return double{1} * device.utilization().gpu; });
    const bool has_fans = if_supported([&] { return device.fan_count(); }).value_or(0) != 0;
    const auto fan = if_supported([&] { return has_fans ? double{1} * device.fan(0).speed_percent() : -1; });
    const auto memory = if_supported([&] { return device.memory_info(); });
    const auto errors = if_supported([&] { return double(device.ecc().error_count(system::MemoryError::uncorrected)); });
    const auto state = if_supported([&] { return device.performance_state(); });
    const std::string state_text = state ? "P" + std::to_string(static_cast<unsigned int>(*state)) : "-";
    const std::string memory_text =
        memory ? std::to_string(memory->used >> 20) + " / " + std::to_string(memory->total >> 20) + " MiB" : "-";
    std::printf("%-3u %-28s %-16s %6s %6s %4s %8s /%8s %22s %6s %5s\n", device.index(), device.name().c_str(),
                device.pci_bus_id().c_str(), has_fans ? text(fan, "%").c_str() : "-", text(celsius, "C").c_str(),
                state_text.c_str(), text(watts, "W").c_str(), text(limit, "W").c_str(), memory_text.c_str(),
                text(load, "%").c_str(), text(errors, "").c_str());
    for (system::Device part : device.mig().devices()) {
        std::printf("    part %u/%u  %s\n", part.mig().gpu_instance_id(), part.mig().compute_instance_id(), part.uuid().c_str());
    }
}

void print_process(system::Device device, const system::ProcessInfo& process, const char* kind) {
    std::string name = "-";
    try {
        name = system::process_name(process.pid);
    } catch (const Error&) {
        // The process has ended, or it belongs to another container.
    }
    const bool is_known = process.used_memory != system::ProcessInfo::unknown_memory;
    std::printf("%-3u %8u %-4s %-60s %10s\n", device.index(), process.pid, kind, name.c_str(),
                is_known ? (std::to_string(process.used_memory >> 20) + " MiB").c_str() : "-");
}

// Prints the tables and returns whether their values are plausible.
bool print() {
    const system::Version cuda = system::cuda_version();
    std::printf("NVML %s, driver %s, CUDA %d.%d\n\n", system::nvml_version().c_str(), system::driver_version().c_str(),
                cuda.major, cuda.minor);
    std::printf("%-3s %-28s %-16s %6s %6s %4s %8s /%8s %22s %6s %5s\n", "GPU", "name", "bus", "fan", "temp.", "perf", "power",
                "limit", "memory", "use", "ECC");
    const std::vector<system::Device> devices = system::Device::all();
    bool is_plausible = !devices.empty();
    for (system::Device device : devices) {
        print_device(device);
        const auto memory = if_supported([&] { return device.memory_info(); });
        is_plausible = is_plausible && (!memory || (memory->total > 0 && memory->used <= memory->total));
    }
    std::printf("\n%-3s %8s %-4s %-60s %10s\n", "GPU", "PID", "type", "process", "memory");
    for (system::Device device : devices) {
        const auto computing = if_supported([&] { return device.compute_processes(); });
        if (computing) {
            for (const system::ProcessInfo& each : *computing) print_process(device, each, "C");
        }
        const auto drawing = if_supported([&] { return device.graphics_processes(); });
        if (drawing) {
            for (const system::ProcessInfo& each : *drawing) print_process(device, each, "G");
        }
    }
    return is_plausible;
}

int nvidia_smi(int seconds) {
    if (!system::is_available()) {
        std::puts("Skipped: NVML, which is part of the driver, was not found.");
        return skipped;
    }
    try {
        static_cast<void>(system::Device::count());
    } catch (const Error& error) {
        if (error.code() != nvml::NVML_ERROR_DRIVER_NOT_LOADED && error.code() != nvml::NVML_ERROR_GPU_NOT_FOUND) throw;
        std::printf("Skipped: %s\n", error.what());
        return skipped;
    }
    bool is_plausible = print();
    while (seconds > 0) {
        std::this_thread::sleep_for(std::chrono::seconds(seconds));
        std::puts("");
        is_plausible = print() && is_plausible;
        std::fflush(stdout);
    }
    std::printf("Checked: each GPU uses at most as much memory as it has. %s\n", is_plausible ? "Passed." : "FAILED.");
    return is_plausible ? passed : failed;
}

}  // namespace

int main(int argc, char** argv) {
    const bool is_live = argc == 3 && std::string_view(argv[1]) == "--live" && std::atoi(argv[2]) > 0;
    if (argc != 1 && !is_live) {
        std::fprintf(stderr, "usage: %s [--live SECONDS]\n", argv[0]);
        return failed;
    }
    try {
        return nvidia_smi(is_live ? std::atoi(argv[2]) : 0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return failed;
    }
}
