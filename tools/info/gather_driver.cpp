// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/device.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/strings.hpp>

#include <cstdlib>

#include "gather.hpp"

namespace cubind::info {
namespace {

// Returns the driver's version in a file name such as libcuda.so.580.159.04. The names libcuda.so.1 and libcuda.so.1.1 (WSL)
// do not contain one.
std::string file_version(const std::string& real_path) {
    const std::string prefix = "libcuda.so.";
    const std::size_t at = real_path.rfind(prefix);
    if (at == std::string::npos) return "";
    const std::string version = real_path.substr(at + prefix.size());
    const bool is_version = version.find_first_not_of("0123456789.") == std::string::npos && std::atoi(version.c_str()) >= 100;
    return is_version ? version : "";
}

void set_status(DriverFacts& facts, driver::CUresult status) {
    facts.status = static_cast<int>(status);
    facts.status_name = driver::to_string(status);
    facts.description = driver::describe(status);
}

DeviceFacts gather_device(int ordinal) {
    DeviceFacts facts;
    facts.ordinal = ordinal;
    const auto [status, device] = driver::cuDeviceGet(ordinal);
    if (status != driver::CUDA_SUCCESS) return facts;
    char name[256] = {};
    if (driver::cuDeviceGetName(name, sizeof name - 1, device).ok()) facts.name = name;
    const auto major = driver::cuDeviceGetAttribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    const auto minor = driver::cuDeviceGetAttribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    if (major.ok() && minor.ok()) facts.architecture = 10 * major.value + minor.value;
    return facts;
}

}  // namespace

DriverFacts gather_driver(const LibraryFacts& library) {
    DriverFacts facts;
    if (!library.found) return facts;
    facts.file_version = file_version(library.real_path);
    facts.is_queried = true;
    const driver::CUresult initialized = driver::cuInit(0).status;
    set_status(facts, initialized);
    if (initialized != driver::CUDA_SUCCESS) return facts;
    const auto [status, count] = driver::cuDeviceGetCount();
    set_status(facts, status);
    facts.usable = status == driver::CUDA_SUCCESS;
    for (int ordinal = 0; facts.usable && ordinal < count; ++ordinal) facts.devices.push_back(gather_device(ordinal));
    return facts;
}

}  // namespace cubind::info
