// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the driver that the operating system's loader finds, and prints one line "NAME: ANSWER" per question in a fixed order.
#include <cstdlib>

#include "groups.hpp"
#include "runner.hpp"

namespace answers {

const char* const ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.global .align 8 .u64 counter = 7;
.global .align 4 .f32 values[100];
.const .align 4 .u32 limit = 3;
.visible .entry nothing() { ret; }
.visible .entry two(.param .u64 pointer, .param .u32 count) { ret; }
.visible .entry limited() .maxntid 128, 1, 1 { ret; }
)";

CUcontext use_device() {
    if (!cuInit(0).ok()) std::exit(4);
    const auto [status, context] = cuDevicePrimaryCtxRetain(0);
    if (status != CUDA_SUCCESS || !cuCtxSetCurrent(context).ok()) std::exit(5);
    return context;
}

}  // namespace answers

int main() {
    using namespace answers;
    run_group("initialization", ask_about_initialization);
    run_group("error", ask_about_errors);
    run_group("entry", ask_about_entries);
    run_group("device", ask_about_devices);
    run_group("context", ask_about_contexts);
    run_group("no context", ask_about_missing_contexts);
    run_group("objects without context", ask_about_objects_without_context);
    run_group("stream", ask_about_streams);
    run_group("event", ask_about_events);
    run_group("memory operation", ask_about_memory_operations);
    run_group("memory", ask_about_memory);
    run_group("managed", ask_about_managed_memory);
    run_group("pool", ask_about_pools);
    run_group("virtual", ask_about_virtual_memory);
    run_group("copy", ask_about_copies);
    run_group("array", ask_about_arrays);
    run_group("sparse array", ask_about_sparse_arrays);
    run_group("texture", ask_about_textures);
    run_group("module", ask_about_modules);
    run_group("library", ask_about_libraries);
    run_group("function", ask_about_functions);
    run_group("occupancy", ask_about_occupancy);
    run_group("launch", ask_about_launches);
    run_group("graph", ask_about_graphs);
    run_group("user object", ask_about_user_objects);
    run_group("graph node", ask_about_graph_nodes);
    run_group("graph memory", ask_about_graph_memory);
    run_group("graph update", ask_about_graph_updates);
    run_group("conditional", ask_about_conditionals);
    run_group("capture", ask_about_captures);
    run_group("capture violation", ask_about_capture_violations);
}
