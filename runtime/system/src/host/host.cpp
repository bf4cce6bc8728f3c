// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/library.hpp>
#include <cubind/nvml/loading.hpp>
#include <cubind/nvml/system_queries.hpp>
#include <cubind/system/host.hpp>

#include "support/checked.hpp"
#include "support/session.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

std::string driver_version() {
    detail::initialize();
    return detail::text_of<nvml::NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE>(nvml::nvmlSystemGetDriverVersion);
}

Version cuda_version() {
    detail::initialize();
    const int version = checked(nvml::nvmlSystemGetCudaDriverVersion_v2());
    return {version / 1000, version % 1000 / 10};
}

std::string driver_branch() {
    detail::initialize();
    const nvml::nvmlSystemDriverBranchInfo_t info =
        checked(nvml::nvmlSystemGetDriverBranch(nvml::nvmlSystemDriverBranchInfo_t{}, sizeof info.branch));
    return detail::text_in(info.branch);
}

std::string nvml_version() {
    detail::initialize();
    return detail::text_of<nvml::NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE>(nvml::nvmlSystemGetNVMLVersion);
}

std::string process_name(unsigned int pid) {
    detail::initialize();
    constexpr int max_path_size = 4096;  // PATH_MAX of Linux
    return detail::text_of<max_path_size>(
        [pid](char* buffer, unsigned int size) { return nvml::nvmlSystemGetProcessName(pid, buffer, size); });
}

bool is_available() noexcept {
    return library_path(nvml::library()) != nullptr;
}

}  // namespace CUBIND_NAMESPACE::system
