// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cubind::testing {

/// What the stand-in for libmathdx has received, and what it returns.
struct MathdxStandIn {
    std::vector<std::string> operators;  ///< "fft 0 = 256", with the number of the operator and its values
    std::vector<std::string> names;      ///< the symbols
    long long architecture = 0;          ///< of the latest code
    int descriptors = 0;                 ///< that exist
    int codes = 0;                       ///< that exist
    int finalized = 0;                   ///< compilations
    int is_supported = 1;                ///< result of cufftdxIsSupported
    int trait_status = 0;                ///< status of queries of traits
    int finalize_status = 0;             ///< status of compilations
    std::string log = "the log of the stand-in";
};

MathdxStandIn& mathdx_stand_in();

/// Replaces libmathdx while it exists.
class ScopedMathdxStandIn {
public:
    ScopedMathdxStandIn();
    ScopedMathdxStandIn(const ScopedMathdxStandIn&) = delete;
    ScopedMathdxStandIn& operator=(const ScopedMathdxStandIn&) = delete;
    ~ScopedMathdxStandIn();
};

}  // namespace cubind::testing
