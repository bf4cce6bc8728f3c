// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stand_in.hpp"
#include "system_test.hpp"

namespace cubind::testing {

using namespace nvml;

void add_host_functions(Functions& functions) {
    add(functions, "nvmlInit_v2", []() -> nvmlReturn_t {
        ++stand_in.initializations;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlSystemGetDriverVersion",
        [](char* buffer, unsigned int size) { return write_text(buffer, size, "580.65.06"); });
    add(functions, "nvmlSystemGetNVMLVersion",
        [](char* buffer, unsigned int size) { return write_text(buffer, size, "13.580.65"); });
    add(functions, "nvmlSystemGetProcessName", [](unsigned int pid, char* buffer, unsigned int size) {
        return pid == 42 ? write_text(buffer, size, "/usr/bin/app") : NVML_ERROR_NOT_FOUND;
    });
    add(functions, "nvmlSystemGetCudaDriverVersion_v2", [](int* version) -> nvmlReturn_t {
        *version = 13020;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlSystemGetDriverBranch", [](nvmlSystemDriverBranchInfo_t* info, unsigned int size) -> nvmlReturn_t {
        if (info->version != nvmlSystemDriverBranchInfo_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        return write_text(info->branch, size, "r580_00");
    });
}

}  // namespace cubind::testing
