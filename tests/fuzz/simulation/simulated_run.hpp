// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "caller.hpp"

namespace cubind::fuzz {

/// Runs one simulated machine and clears the results of earlier calls. Only one may exist at a time. Some calls would wait
/// forever, for example for a value that is never written. When no call has returned for a while, a thread therefore destroys
/// all contexts, which ends such waits.
class SimulatedRun {
public:
    /// Chooses the options of the machine and whether it is initialized.
    SimulatedRun(Choices& choices, Pools& pools);
    /// Waits for all work. No other thread may call the driver.
    ~SimulatedRun();
    SimulatedRun(const SimulatedRun&) = delete;
    SimulatedRun& operator=(const SimulatedRun&) = delete;

private:
    void end_waits();

    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false;
    std::thread wait_ender_;
};

/// Returns the address of a function of the driver.
void* address_of(const Function& function);
/// Returns whether the function is simulated. Other functions always return CUDA_ERROR_NOT_SUPPORTED.
bool is_simulated(const Function& function);

}  // namespace cubind::fuzz
