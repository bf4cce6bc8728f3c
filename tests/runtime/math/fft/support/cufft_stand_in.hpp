// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cubind::testing {

/// A callback that a plan has received.
struct FftStandInCallback {
    std::string symbol;
    std::string code;
    unsigned int type;
    void* data;
};

/// The state of the stand-in for cuFFT, which transforms nothing.
struct CufftStandIn {
    std::vector<std::string> calls;  ///< "cufftXtExec 7 0x10000 0x20000 -1": names and values
    int handles = 0;                 ///< created and not destroyed
    int next_status = 0;             ///< what `failing` returns, once, if it is not 0
    std::vector<FftStandInCallback> callbacks;
    std::size_t workspace_size = 0;  ///< of the next plan
    std::string failing = {};        ///< the name of a function

    /// Returns the calls since the latest forget(), without those that create and destroy plans.
    [[nodiscard]] std::vector<std::string> taken_calls();
};

CufftStandIn& cufft_stand_in();

/// Installs the stand-in with a new state for its lifetime.
class ScopedCufftStandIn {
public:
    ScopedCufftStandIn();
    ScopedCufftStandIn(const ScopedCufftStandIn&) = delete;
    ScopedCufftStandIn& operator=(const ScopedCufftStandIn&) = delete;
    ~ScopedCufftStandIn();
};

}  // namespace cubind::testing
