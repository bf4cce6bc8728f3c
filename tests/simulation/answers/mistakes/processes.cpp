// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <sys/wait.h>
#include <unistd.h>

#include "mistakes/groups.hpp"

namespace answers {

namespace {

void use_driver(const std::string& when, CUdeviceptr memory) {
    const auto about = [&](const char* function, auto call) {
        ask((std::string(function) + " in a child " + when).c_str(), call);
    };
    about("cuDeviceGetCount", [] { return cuDeviceGetCount(); });
    about("cuCtxGetCurrent", [] { return cuCtxGetCurrent(); });
    about("cuCtxGetDevice", [] { return cuCtxGetDevice(); });
    about("cuMemAlloc", [] { return cuMemAlloc(64); });
    about("cuMemsetD8", [&] { return cuMemsetD8(memory, 0, 16); });
    about("cuStreamCreate", [] { return cuStreamCreate(0); });
    about("cuStreamSynchronize", [] { return cuStreamSynchronize(nullptr); });
    about("cuInit", [] { return cuInit(0); });
    about("cuDeviceGet", [] { return cuDeviceGet(0); });
    about("cuDevicePrimaryCtxRetain", [] { return cuDevicePrimaryCtxRetain(0); });
    about("cuCtxCreate", [] { return cuCtxCreate_v2(0, 0); });
    about("cuMemAlloc after cuInit", [] { return cuMemAlloc(64); });
}

// Asks in a child of fork().
void ask_in_child(const std::string& when, CUdeviceptr memory) {
    const pid_t child = ::fork();
    if (child == 0) {
        use_driver(when, memory);
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    report(("end of a child " + when).c_str(), status);
}

}  // namespace

void ask_about_wrong_processes() {
    (void)cuDriverGetVersion();
    ask_in_child("before cuInit", bad_address);
    ASK(cuInit(0));
    ask_in_child("after cuInit", bad_address);
    use_device();
    const CUdeviceptr memory = cuMemAlloc(64).value;
    ASK(cuMemsetD8(memory, 0, 16));
    ASK(cuCtxSynchronize());
    ask_in_child("after work", memory);
    ASK(cuMemsetD8(memory, 0, 16));
}

void ask_about_wrong_handles_of_processes() {
    use_device();
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    const CUdeviceptr managed = cuMemAllocManaged(unit, CU_MEM_ATTACH_GLOBAL).value;
    void* const pinned = cuMemHostAlloc(4096, 0).value;
    const CUdeviceptr of_pool = cuMemAllocAsync(unit, nullptr).value;
    ASK(cuStreamSynchronize(nullptr));
    ASK(cuIpcGetMemHandle(bad_address));
    ASK(cuIpcGetMemHandle(managed));
    ASK(cuIpcGetMemHandle(reinterpret_cast<CUdeviceptr>(pinned)));
    ASK(cuIpcGetMemHandle(of_pool));
    const CUipcMemHandle own = ASK(cuIpcGetMemHandle(memory)).value;
    ASK(cuIpcOpenMemHandle(own, 0));
    ASK(cuIpcOpenMemHandle(own, 9));
    ASK(cuIpcCloseMemHandle(memory));
    ASK(cuIpcCloseMemHandle(bad_address));
    const CUipcMemHandle zeros{};
    ASK(cuIpcOpenMemHandle(zeros, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    ASK(cuEventCreate(CU_EVENT_INTERPROCESS));
    const CUevent event = cuEventCreate(CU_EVENT_DISABLE_TIMING).value;
    ASK(cuIpcGetEventHandle(event));
    const CUipcEventHandle no_event{};
    ASK(cuIpcOpenEventHandle(no_event));
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    int file = -1;
    ASK(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    ASK(cuMemPoolImportFromShareableHandle(reinterpret_cast<void*>(std::intptr_t{999}), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                           0));
    ASK(cuMemPoolExportPointer(of_pool));
    ASK(cuMemPoolExportPointer(memory));
    ASK(cuMemFree(memory));
    ASK(cuIpcGetMemHandle(memory));
}

}  // namespace answers
