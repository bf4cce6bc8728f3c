// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "caller.hpp"

namespace cubind::fuzz {

/// A machine from its start to its end, and what the calls on it have given. One at a time. Calls that wait for what nobody will do,
/// such as a value that nobody writes, end because their contexts are destroyed.
class SimulatedRun {
public:
    /// What kind of machine it is, and whether it is initialised, is chosen too.
    SimulatedRun(Choices& choices, Pools& pools);
    /// Waits for all work. No thread may call the driver any more.
    ~SimulatedRun();
    SimulatedRun(const SimulatedRun&) = delete;
    SimulatedRun& operator=(const SimulatedRun&) = delete;

private:
    void end_waits();

    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false;
    std::thread ending_waits_;
};

/// Where the driver has a function.
void* address_of(const Function& function);
/// Whether it does more than to say that it is not supported.
bool has_behaviour(const Function& function);

}  // namespace cubind::fuzz
