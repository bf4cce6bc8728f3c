// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/options.hpp>

#include <map>
#include <string>

/// @file
/// A simulated CUDA driver in the calling process. After install(), the functions of cubind::driver act on simulated
/// devices. A program that does not use cubind can load the drop-in library libcuda.so.1 instead, which is built from
/// the same sources.
namespace CUBIND_NAMESPACE::sim {

/// Makes cubind::driver call a new simulated machine. The machine is not initialized and has no memory in use. Handles of the
/// previous machine become invalid; a cubind::Device remains valid. Installed layers stay active. No other thread may call the
/// driver during the call. Throws std::invalid_argument for a malformed release, or a number of devices outside 0 to 255, and
/// then keeps the previous machine.
void install(const Options& options = options_from_environment());

/// Waits for the work of the simulated machine, interrupts kernels that run for too long (Options::shutdown_seconds), destroys
/// the machine, and makes cubind::driver call the real driver again. No other thread may call the driver during the call.
void uninstall() noexcept;

/// Returns the number of calls of each function that is not simulated or that the simulated release lacks, by symbol. These
/// calls return CUDA_ERROR_NOT_SUPPORTED. Counting starts at install().
std::map<std::string, unsigned long> unsimulated_calls();

/// Checks whether a symbol, such as "cuMemAlloc_v2", is simulated and part of the simulated release.
bool is_simulated(const std::string& symbol);

}  // namespace CUBIND_NAMESPACE::sim
