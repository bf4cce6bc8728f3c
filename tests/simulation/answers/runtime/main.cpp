// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the runtime library that cubind finds, and prints one line "NAME: ANSWER" per question in a fixed order.
#include "runner.hpp"
#include "runtime/groups.hpp"

namespace answers {

const char* const runtime_ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 8 .u64 counter = 7;
.visible .global .align 4 .f32 values[100];
.visible .const .align 4 .u32 limit = 3;
.visible .entry nothing() { ret; }
.visible .entry two(.param .u64 pointer, .param .u32 count) { ret; }
.visible .entry limited() .maxntid 128, 1, 1 { ret; }
.visible .entry fails() { trap; }
)";

cudaLibrary_t load_library() {
    return cudaLibraryLoadData(runtime_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0).value;
}

const void* get_kernel(cudaLibrary_t library, const char* name) {
    return cudaLibraryGetKernel(library, name).value;
}

void do_nothing(void*) {}

}  // namespace answers

int main() {
    using namespace answers;
    run_group("machine", ask_about_machine);
    run_group("library", ask_about_runtime_library);
    run_group("initialization", ask_about_runtime_initialization);
    run_group("error", ask_about_runtime_errors);
    run_group("error state", ask_about_runtime_error_state);
    run_group("device", ask_about_runtime_devices);
    run_group("property", ask_about_runtime_device_properties);
    run_group("limit", ask_about_runtime_limits);
    run_group("peer", ask_about_runtime_peers);
    run_group("context", ask_about_runtime_contexts);
    run_group("execution context", ask_about_runtime_execution_contexts);
    run_group("entry point", ask_about_runtime_entry_points);
    run_group("stream", ask_about_runtime_streams);
    run_group("event", ask_about_runtime_events);
    run_group("memory", ask_about_runtime_memory);
    run_group("managed", ask_about_runtime_managed_memory);
    run_group("host memory", ask_about_runtime_host_memory);
    run_group("pool", ask_about_runtime_pools);
    run_group("copy", ask_about_runtime_copies);
    run_group("array", ask_about_runtime_arrays);
    run_group("level", ask_about_runtime_levels);
    run_group("texture", ask_about_runtime_textures);
    run_group("kernel library", ask_about_runtime_libraries);
    run_group("symbol", ask_about_runtime_symbols);
    run_group("function", ask_about_runtime_functions);
    run_group("occupancy", ask_about_runtime_occupancy);
    run_group("launch", ask_about_runtime_launches);
    run_group("graph", ask_about_runtime_graphs);
    run_group("graph node", ask_about_runtime_graph_nodes);
    run_group("graph memory", ask_about_runtime_graph_memory);
    run_group("graph update", ask_about_runtime_graph_updates);
    run_group("capture", ask_about_runtime_captures);
    run_group("failure", ask_about_runtime_failures);
}
