// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cubind::testing {

/// What a stand-in for a library has received: one line for each call, with the name and the values.
struct CallRecord {
    std::vector<std::string> calls;  ///< "cublasLtMatmul m=64 ..."
    int handles = 0;                 ///< created and not destroyed
    int next_status = 0;             ///< what the next call returns, once, if it is not 0

    /// Returns next_status, and resets it.
    int take_status() {
        const int status = next_status;
        next_status = 0;
        return status;
    }
};

}  // namespace cubind::testing
