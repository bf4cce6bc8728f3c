// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "checked.hpp"

#include <cubind/cupti/loading.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>

#include <string>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"

namespace CUBIND_NAMESPACE::profile::detail {

using cubind::detail::concat;

namespace {

const char* remedy_of(cupti::CUptiResult status) {
    switch (status) {
        case cupti::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        case cupti::CUPTI_ERROR_MAX_LIMIT_REACHED:  // of subscribers, in some releases
            return "Another profiler is attached to this process, such as Nsight Systems, Nsight Compute, cubind-prof or "
                   "torch.profiler, and CUPTI serves one at a time: run the program without it.";
        case cupti::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        case cupti::CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return "The driver permits this to administrators only: load the kernel module with "
                   "NVreg_RestrictProfilingToAdminUsers=0, or give the process the capability CAP_SYS_ADMIN.";
        case cupti::CUPTI_ERROR_NOT_COMPATIBLE:
        case cupti::CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE:
            return "The installed CUPTI does not fit the driver: install the package nvidia-cuda-cupti of the driver's release "
                   "of "
                   "CUDA.";
        case cupti::CUPTI_ERROR_INVALID_KIND:
        case cupti::CUPTI_ERROR_NOT_SUPPORTED:
        case cupti::CUPTI_ERROR_API_NOT_IMPLEMENTED:
            return "The installed CUPTI does not know this, or the device does not support it: switch it off, or install a newer "
                   "nvidia-cuda-cupti.";
        case cupti::CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
        case cupti::CUPTI_ERROR_HARDWARE_BUSY:
            return "Another profiler uses the counters of the device: end it first.";
        default:
            return "";
    }
}

std::string advice_on(cupti::CUptiResult status, const char* action) {
    const std::string what = concat("It was called to ", action, ".");
    const char* const remedy = remedy_of(status);
    return *remedy == '\0' ? what : concat(what, " ", remedy);
}

}  // namespace

void throw_failed_call(cupti::CUptiResult status, const char* action) {
    try {
        cubind::detail::throw_error("cupti", static_cast<int>(status), to_string(status), describe(status), true);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error& error) {
        if (library_path(cupti::library()) == nullptr) {
            throw LoadError(
                error,
                "CUPTI is part of the toolkit: install the package nvidia-cuda-cupti (pip) or cuda-cupti (Debian, conda).");
        }
        throw Error(error, advice_on(status, action));
    }
}

void report(const Result<cupti::CUptiResult>& result, const char* action) noexcept {
    if (!result.ok()) cubind::detail::report_cleanup_failure(action, to_string(result.status));
}

}  // namespace CUBIND_NAMESPACE::profile::detail
