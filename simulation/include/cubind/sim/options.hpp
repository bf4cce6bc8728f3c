// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/sim/fidelity.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace CUBIND_NAMESPACE::sim {

/// The properties of a simulated machine, for example `Options{.devices = 2, .release = "12.4"}`.
struct Options {
    int devices = 1;                            ///< number of devices
    std::size_t memory = std::size_t{8} << 30;  ///< bytes of memory of each device
    int major = 9;                              ///< major number of the compute capability
    int minor = 0;                              ///< minor number of the compute capability
    std::string release = {};                   ///< CUDA release of the driver, which lacks later functions; the newest if empty
    std::size_t max_recorded_launches = 1000;   ///< limit of launches that launches() returns, see kernels.hpp
    unsigned workers = 0;                       ///< threads that run the blocks of a kernel; one for each processor if 0
    unsigned long long seed = 0;                ///< permutes the order of blocks and warps; 0 keeps it ascending
    unsigned kernel_seconds = 0;       ///< seconds after which a kernel fails with CUDA_ERROR_LAUNCH_TIMEOUT; no limit if 0
    unsigned shutdown_seconds = 10;    ///< seconds from the end of a context to the interruption of its kernels
    bool counts_instructions = false;  ///< whether executed_instructions() has results; counting slows kernels down
    /// The least fidelity that is accepted. An instruction with less fails with CUDA_ERROR_NOT_SUPPORTED when it runs.
    Fidelity required_fidelity = Fidelity::approximate;
    /// The devices that the driver shows, as a value of CUDA_VISIBLE_DEVICES; all if not set.
    std::optional<std::string> visible_devices = {};
    /// Mistakes that a GPU does not allow, for tests of something else.
    bool allows_fork = false;                 ///< whether a child of fork() can use the driver that its parent has initialized
    bool allows_peer_memory = false;          ///< whether kernels can use memory of other devices without access
    bool allows_undefined_functions = false;  ///< whether code loads without functions that it calls; their calls fail
};

/// Returns the default options, changed by the environment variables CUBIND_SIM_DEVICES, CUBIND_SIM_MEMORY (bytes),
/// CUBIND_SIM_COMPUTE_CAPABILITY (such as 8.0), CUBIND_SIM_RELEASE (such as 12.4), CUBIND_SIM_WORKERS, CUBIND_SIM_SEED,
/// CUBIND_SIM_KERNEL_SECONDS, CUBIND_SIM_FIDELITY (a file, which sets `counts_instructions`), CUBIND_SIM_FIDELITY_REQUIRE
/// (exact, rule or approximate), and, with 0 or 1, CUBIND_SIM_ALLOW_FORK, CUBIND_SIM_ALLOW_PEER_MEMORY and
/// CUBIND_SIM_ALLOW_UNDEFINED_FUNCTIONS; and by CUDA_VISIBLE_DEVICES, unless CUBIND_SIM_ALLOW_HIDDEN_DEVICES is 1. Empty
/// variables of the simulation count as not set. Throws std::invalid_argument for any other value, more than 255 devices, and
/// other variables whose names begin with CUBIND_SIM_.
Options options_from_environment();

}  // namespace CUBIND_NAMESPACE::sim
