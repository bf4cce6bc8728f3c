// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/checked.hpp"

#include <cubind/error.hpp>

namespace CUBIND_NAMESPACE::system::detail {
namespace {

struct Advice {
    nvml::nvmlReturn_t status;
    const char* text;
};

constexpr Advice advices[] = {
    {nvml::NVML_ERROR_NOT_SUPPORTED,
     "This device or this configuration of it does not offer the query; system::if_supported() returns an empty result instead."},
    {nvml::NVML_ERROR_NO_PERMISSION, "Run the program as an administrator, or let the administrator grant the permission."},
    {nvml::NVML_ERROR_DRIVER_NOT_LOADED, "Check that the machine has an NVIDIA GPU and that its kernel driver is loaded."},
    {nvml::NVML_ERROR_LIB_RM_VERSION_MISMATCH,
     "The kernel driver and the library are of different versions: restart the machine, or load the kernel driver again."},
    {nvml::NVML_ERROR_GPU_IS_LOST, "The GPU no longer answers: restart the GPU or the machine."},
    {nvml::NVML_ERROR_RESET_REQUIRED, "The GPU must be restarted before it can be used again."},
    {nvml::NVML_ERROR_IN_USE, "End the processes that use the device, and try again."},
    {nvml::NVML_ERROR_UNINITIALIZED,
     "Other code of this process has called nvmlShutdown() more often than nvmlInit(): each call must match one of its own."},
    {nvml::NVML_ERROR_ARGUMENT_VERSION_MISMATCH,
     "The installed driver does not know this version of the query: update the driver."},
    {nvml::NVML_ERROR_CORRUPTED_INFOROM, "The records on the board are damaged: ask the vendor of the board for a replacement."},
};

}  // namespace

void throw_with_advice(nvml::nvmlReturn_t status) {
    try {
        cubind::detail::throw_error("nvml", static_cast<int>(status), nvml::to_string(status), nvml::describe(status), true);
    } catch (const Error& error) {
        for (const Advice& advice : advices) {
            if (advice.status == status) throw Error(error, advice.text);
        }
        throw;
    }
}

unsigned int checked_count(unsigned int count, const char* function, const char* objects) {
    constexpr unsigned int max_count = 1 << 16;
    if (count <= max_count) return count;
    constexpr auto status = nvml::NVML_ERROR_UNKNOWN;
    throw Error(Error("nvml", function, static_cast<int>(status), nvml::to_string(status), nvml::describe(status)),
                "NVML states " + std::to_string(count) + " " + objects + ", and no machine has more than " +
                    std::to_string(max_count) + ": the library or the driver is damaged.");
}

}  // namespace CUBIND_NAMESPACE::system::detail
