// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "machine.hpp"
#include "question.hpp"

namespace answers {

/// Each function asks about one kind of mistake. It runs in a separate process, before any other driver call.
void ask_about_wrong_devices();
void ask_about_wrong_contexts();
void ask_about_wrong_threads();
void ask_about_captures_of_other_threads();
void ask_about_calls_in_host_functions();
void ask_about_wrong_processes();
void ask_about_wrong_handles_of_processes();
void ask_about_wrong_states();
void ask_about_unfinished_work();
void ask_about_freed_memory();
void ask_about_wrong_sizes();
void ask_about_wrong_shapes();

/// Asks about the faults of kernels, each in a process of its own.
void ask_about_faults();
/// Asks about objects that belong to different devices, and about memory without access, for machines with two devices.
void ask_about_two_devices();

/// Asks how many devices the other questions may use.
void ask_about_devices_in_use();

/// Returns whether there are two devices. Initializes the driver.
bool has_two_devices();
/// Initializes the driver and makes the primary context of a device current. Returns that context.
CUcontext use_device(int device = 0);

/// Kernels, and memory with which they are wrong.
extern const char* const kernels;
/// Returns a kernel, loaded in the current context.
CUfunction load_kernel(const char* name);

/// An address that no allocation has.
inline constexpr CUdeviceptr bad_address = 0x1000;
/// 2 MiB is a multiple of every allocation granularity, so that the end of an allocation is also the end of its last page.
inline constexpr std::size_t unit = std::size_t{2} << 20;

}  // namespace answers
