// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "machine.hpp"
#include "runtime/text.hpp"

namespace answers {

/// Each function asks one group of questions about the runtime API. It runs in a separate process, before any other call.
void ask_about_runtime_arrays();
void ask_about_runtime_captures();
void ask_about_runtime_contexts();
void ask_about_runtime_copies();
void ask_about_runtime_device_properties();
void ask_about_runtime_devices();
void ask_about_runtime_entry_points();
void ask_about_runtime_error_state();
void ask_about_runtime_errors();
void ask_about_runtime_events();
void ask_about_runtime_execution_contexts();
void ask_about_runtime_failures();
void ask_about_runtime_functions();
void ask_about_runtime_graph_memory();
void ask_about_runtime_graph_nodes();
void ask_about_runtime_graph_updates();
void ask_about_runtime_graphs();
void ask_about_runtime_host_memory();
void ask_about_runtime_initialization();
void ask_about_runtime_launches();
void ask_about_runtime_libraries();
void ask_about_runtime_library();
void ask_about_runtime_limits();
void ask_about_runtime_levels();
void ask_about_runtime_managed_memory();
void ask_about_runtime_memory();
void ask_about_runtime_occupancy();
void ask_about_runtime_peers();
void ask_about_runtime_pools();
void ask_about_runtime_streams();
void ask_about_runtime_symbols();
void ask_about_runtime_textures();

/// PTX with the kernels `nothing()`, `two(.u64, .u32)`, `limited` (128 threads at most) and `fails`, and variables.
extern const char* const runtime_ptx;

/// Loads `runtime_ptx`. The first call makes the primary context of device 0 current.
cudaLibrary_t load_library();
/// Returns a kernel of the library, as the functions of the runtime API that take a `const void*` accept it.
const void* get_kernel(cudaLibrary_t library, const char* name);

/// A host function.
void do_nothing(void* data);

/// An address that no allocation has.
inline void* const bad_pointer = reinterpret_cast<void*>(std::uintptr_t{0x1000});

}  // namespace answers
