// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <cubind/sim/options.hpp>

/// A CUDA driver without a GPU, in this process: after install() the functions of cubind::driver act on simulated devices.
/// A program that uses no cubind runs on the library libcuda.so.1 that is built beside this.
namespace cubind::sim {

/// Makes cubind::driver call a new simulated machine: not initialised, no memory in use. Layers stay on. No other
/// thread may call the driver meanwhile.
void install(const Options& options = options_from_environment());

/// Waits for the work of the simulated machine, forgets it, and makes cubind::driver call the real driver again. No other
/// thread may call the driver meanwhile.
void uninstall() noexcept;

/// Symbol to number of calls, of those that said CUDA_ERROR_NOT_SUPPORTED because nobody has simulated them yet. Counts since
/// install().
std::map<std::string, unsigned long> calls_without_behaviour();

/// Whether a symbol, e.g. "cuMemAlloc_v2", is simulated.
bool has_behaviour(const std::string& symbol);

}  // namespace cubind::sim
