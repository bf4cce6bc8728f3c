// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <simulation/functions.hpp>

#include "machine/machine.hpp"
#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

// Exists in libcuda.so.1 only: a program with the simulated driver within is no program of a tool.
[[gnu::weak]] void load_injected_library() noexcept;

namespace {

// A GPU's driver says nothing, and the status alone is misleading.
void report_fork() {
    static std::atomic_flag is_reported;
    if (is_reported.test_and_set()) return;
    report("", "cuInit", "CUDA_ERROR_NOT_INITIALIZED",
           machine().options.allows_fork
               ? "the process was created by fork() while its parent used the driver: fork before, or start the process with exec"
               : "the process was created by fork() after its parent had called cuInit, and cannot use a driver: fork before, or "
                 "start the process with exec; the simulation allows it with CUBIND_SIM_ALLOW_FORK=1 or Options::allows_fork");
}

}  // namespace

extern "C" {

CUresult sim_cuInit(unsigned int Flags) {
    if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
    // Test suites skip what needs a GPU if there is no device, so the status is another one.
    if (!machine().problem.empty()) {
        report("", "cuInit", "CUDA_ERROR_INVALID_VALUE", machine().problem.c_str());
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (machine().selection != CUDA_SUCCESS) return machine().selection;
    if (machine().devices.empty()) return CUDA_ERROR_NO_DEVICE;
    if (machine().is_unusable) {
        report_fork();
        return CUDA_ERROR_NOT_INITIALIZED;
    }
    machine().initialized.store(true, std::memory_order_release);
    if (load_injected_library != nullptr) load_injected_library();
    return CUDA_SUCCESS;
}

// Only this function, cuGetErrorName, cuGetErrorString and cuLogs* succeed before cuInit.
CUresult sim_cuDriverGetVersion(int* driverVersion) {
    if (driverVersion == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *driverVersion = machine().release;
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
