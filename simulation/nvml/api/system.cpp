// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <algorithm>
#include <string>

#include "platform/process.hpp"
#include "state/write.hpp"
#include "support/driver_names.hpp"
#include "support/error_texts.hpp"

namespace CUBIND_NAMESPACE::sim::management {

extern "C" {

const char* sim_nvmlErrorString(nvmlReturn_t result) {
    return text_of(result);
}

nvmlReturn_t sim_nvmlSystemGetDriverVersion(char* version, unsigned int length) {
    return write_text(driver_version(driver_release()), version, length);
}

nvmlReturn_t sim_nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
    return write_text(library_version(driver_release()), version, length);
}

nvmlReturn_t sim_nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_t* branchInfo, unsigned int length) {
    if (const nvmlReturn_t status = check_version(branchInfo, nvmlSystemDriverBranchInfo_v1)) return status;
    const auto size = std::min(length, static_cast<unsigned int>(sizeof branchInfo->branch));
    return write_text(driver_branch(driver_release()), branchInfo->branch, size);
}

nvmlReturn_t sim_nvmlSystemGetCudaDriverVersion(int* cudaDriverVersion) {
    return write_output(cudaDriverVersion, driver_release());
}

nvmlReturn_t sim_nvmlSystemGetCudaDriverVersion_v2(int* cudaDriverVersion) {
    return write_output(cudaDriverVersion, driver_release());
}

// The first argument of the process's command line, of which as many characters are written as fit.
nvmlReturn_t sim_nvmlSystemGetProcessName(unsigned int pid, char* name, unsigned int length) {
    if (name == nullptr || length == 0) return NVML_ERROR_INVALID_ARGUMENT;
    std::string text;
    if (!cubind::detail::find_program_name(pid, text)) return NVML_ERROR_NOT_FOUND;
    if (text.size() >= length) text.resize(length - 1);
    return write_text(text, name, length);
}

// A server has neither host interface cards nor units of Tesla S-class systems, and all devices are usable.

nvmlReturn_t sim_nvmlSystemGetHicVersion(unsigned int* hwbcCount, nvmlHwbcEntry_t*) {
    return write_output(hwbcCount, 0);
}

nvmlReturn_t sim_nvmlUnitGetCount(unsigned int* unitCount) {
    return write_output(unitCount, 0);
}

nvmlReturn_t sim_nvmlUnitGetHandleByIndex(unsigned int, nvmlUnit_t*) {
    return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t sim_nvmlGetExcludedDeviceCount(unsigned int* deviceCount) {
    return write_output(deviceCount, 0);
}

nvmlReturn_t sim_nvmlGetExcludedDeviceInfoByIndex(unsigned int, nvmlExcludedDeviceInfo_t*) {
    return NVML_ERROR_INVALID_ARGUMENT;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
