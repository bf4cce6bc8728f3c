// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "question.hpp"

namespace answers {

/// Each function asks one group of questions. It runs in a separate process, before any other driver call.
void ask_about_arrays();
void ask_about_capture_violations();
void ask_about_captures();
void ask_about_conditionals();
void ask_about_contexts();
void ask_about_copies();
void ask_about_devices();
void ask_about_entries();
void ask_about_errors();
void ask_about_events();
void ask_about_functions();
void ask_about_graph_memory();
void ask_about_graph_nodes();
void ask_about_graph_updates();
void ask_about_graphs();
void ask_about_initialization();
void ask_about_launches();
void ask_about_libraries();
void ask_about_managed_memory();
void ask_about_memory();
void ask_about_memory_operations();
void ask_about_missing_contexts();
void ask_about_modules();
void ask_about_objects_without_context();
void ask_about_occupancy();
void ask_about_pools();
void ask_about_sparse_arrays();
void ask_about_streams();
void ask_about_textures();
void ask_about_user_objects();
void ask_about_virtual_memory();

/// Initializes the driver and makes the primary context of device 0 current. Returns that context.
CUcontext use_device();

/// PTX with the kernels `nothing()`, `two(.u64, .u32)` and `limited` (128 threads at most), and variables.
extern const char* const ptx;

/// A host function.
inline void do_nothing(void*) {}

/// An address that no allocation has.
inline constexpr CUdeviceptr bad_address = 0x1000;

}  // namespace answers
