// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cubind::testing {

/// The state of the stand-in for cuRAND, which generates nothing.
struct CurandStandIn {
    std::vector<std::string> calls;  ///< "curandGenerate 0x10000 8": names and values
    int handles = 0;                 ///< created and not destroyed
    int next_status = 0;             ///< what `failing` returns, once, if it is not 0
    std::string failing = {};        ///< the name of a function

    /// Returns the latest call.
    [[nodiscard]] std::string latest() const { return calls.empty() ? "no call" : calls.back(); }
};

CurandStandIn& curand_stand_in();

/// Installs the stand-in with a new state for its lifetime.
class ScopedCurandStandIn {
public:
    ScopedCurandStandIn();
    ScopedCurandStandIn(const ScopedCurandStandIn&) = delete;
    ScopedCurandStandIn& operator=(const ScopedCurandStandIn&) = delete;
    ~ScopedCurandStandIn();
};

}  // namespace cubind::testing
