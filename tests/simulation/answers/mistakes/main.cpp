// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes mistakes with the driver that the operating system's loader finds, and prints one line "NAME: ANSWER" per call in a fixed
// order: the wrong device, context, thread, process, state and size, and kernels that use memory which they must not use.
#include <algorithm>
#include <cstdlib>

#include "mistakes/groups.hpp"
#include "runner.hpp"

namespace answers {

const char* const kernels = R"(
.version 7.0
.target sm_70
.address_size 64
.const .align 4 .u32 limit = 3;
.visible .global .align 4 .u32 word = 7;
.visible .entry nothing() { ret; }
.visible .entry load(.param .u64 address) {
    .reg .b64 %a;
    .reg .b32 %x;
    ld.param.u64 %a, [address];
    ld.volatile.global.u32 %x, [%a];
    ret;
}
.visible .entry store(.param .u64 address) {
    .reg .b64 %a;
    ld.param.u64 %a, [address];
    st.volatile.global.u32 [%a], 7;
    ret;
}
.visible .entry add(.param .u64 address) {
    .reg .b64 %a;
    .reg .b32 %x;
    ld.param.u64 %a, [address];
    atom.global.add.u32 %x, [%a], 1;
    ret;
}
.visible .entry store_shared(.param .u64 offset) {
    .reg .b64 %a, %b;
    .shared .align 8 .b8 tile[1024];
    ld.param.u64 %a, [offset];
    mov.u64 %b, tile;
    add.s64 %a, %a, %b;
    st.volatile.shared.u32 [%a], 7;
    ret;
}
.visible .entry store_local(.param .u64 offset) {
    .reg .b64 %a, %b;
    .local .align 8 .b8 frame[64];
    ld.param.u64 %a, [offset];
    mov.u64 %b, frame;
    cvta.local.u64 %b, %b;
    add.s64 %a, %a, %b;
    st.volatile.u32 [%a], 7;
    ret;
}
.visible .entry store_constant(.param .u64 offset) {
    .reg .b64 %a, %b;
    ld.param.u64 %a, [offset];
    mov.u64 %b, limit;
    cvta.const.u64 %b, %b;
    add.s64 %a, %a, %b;
    st.volatile.u32 [%a], 7;
    ret;
}
.visible .entry stop(.param .u64 unused) { trap; }
)";

bool has_two_devices() {
    return cuInit(0).ok() && cuDeviceGetCount().value >= 2;
}

CUcontext use_device(int device) {
    if (!cuInit(0).ok()) std::exit(4);
    const auto [status, context] = cuDevicePrimaryCtxRetain(device);
    if (status != CUDA_SUCCESS || !cuCtxSetCurrent(context).ok()) std::exit(5);
    return context;
}

CUfunction load_kernel(const char* name) {
    const CUmodule module = cuModuleLoadData(kernels).value;
    const auto [status, function] = cuModuleGetFunction(module, name);
    if (status != CUDA_SUCCESS) std::exit(6);
    return function;
}

void ask_about_devices_in_use() {
    ask_about_machine();
    report("devices in use", std::min(cuDeviceGetCount().value, 2));
}

}  // namespace answers

int main() {
    using namespace answers;
    run_group("machine", ask_about_devices_in_use);
    run_group("wrong device", ask_about_wrong_devices);
    run_group("wrong context", ask_about_wrong_contexts);
    run_group("wrong thread", ask_about_wrong_threads);
    run_group("capture of another thread", ask_about_captures_of_other_threads);
    run_group("in a host function", ask_about_calls_in_host_functions);
    run_group("wrong process", ask_about_wrong_processes);
    run_group("handle of a process", ask_about_wrong_handles_of_processes);
    run_group("wrong state", ask_about_wrong_states);
    run_group("unfinished", ask_about_unfinished_work);
    run_group("freed", ask_about_freed_memory);
    run_group("wrong size", ask_about_wrong_sizes);
    run_group("wrong shape", ask_about_wrong_shapes);
    ask_about_faults();
    ask_about_two_devices();
}
