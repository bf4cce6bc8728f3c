// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cubind::testing {

/// What PTX says of a kernel.
struct PtxKernel {
    std::vector<std::int64_t> parameter_sizes;
    int max_threads = 0;
};

/// Returns the kernels in a PTX text, by their symbol.
std::map<std::string, PtxKernel> kernels_in_ptx(const std::string& ptx);

/// Returns the sizes of the variables in global and constant memory, by their symbol.
std::map<std::string, std::int64_t> variables_in_ptx(const std::string& ptx);

}  // namespace cubind::testing
