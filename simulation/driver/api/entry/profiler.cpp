// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

// A simulation has no counters that a profiler could start.
CUresult sim_cuProfilerStart() {
    return CurrentCheck().status;
}

CUresult sim_cuProfilerStop() {
    return CurrentCheck().status;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
