// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "call_record.hpp"

namespace cubind::testing {

/// The state of a stand-in for cuTENSOR. Each call is recorded as a line with all that it was given. On request, a host function
/// in the stream computes the contraction by its definition, for the types that the host has.
struct CutensorStandIn : CallRecord {
    int objects = 0;                                  ///< descriptors, preferences and plans that exist
    int plans = 0;                                    ///< the number of the latest plan
    std::uint64_t workspace = 4096;                   ///< the estimate; each plan requires half of its limit
    std::map<int, std::chrono::milliseconds> delays;  ///< how long the contractions of a plan take
    bool computes = false;                            ///< whether contractions are computed
    std::set<std::string, std::less<>> missing;       ///< functions that the library does not have

    /// Returns the lines that begin with this text.
    [[nodiscard]] std::vector<std::string> lines(const std::string& beginning) const;
};

CutensorStandIn& cutensor_stand_in();

/// Installs the stand-in with a new state for its lifetime.
class ScopedCutensorStandIn {
public:
    ScopedCutensorStandIn();
    ScopedCutensorStandIn(const ScopedCutensorStandIn&) = delete;
    ScopedCutensorStandIn& operator=(const ScopedCutensorStandIn&) = delete;
    ~ScopedCutensorStandIn();
};

}  // namespace cubind::testing
