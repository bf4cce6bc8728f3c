// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// The options of a compilation, with PTX instead of machine code.
struct PtxOptions {
    std::vector<std::string> options;
    bool asked_for_machine_code = false;
};

/// Replaces the architecture sm_N of -arch and --gpu-architecture, in one or in two options, by compute_N.
inline PtxOptions to_ptx_options(const std::vector<std::string>& options) {
    PtxOptions result;
    bool is_architecture = false;
    for (const std::string& option : options) {
        std::string_view name;
        for (const std::string_view each : {"-arch", "--gpu-architecture"}) {
            if (option == each || (option.starts_with(each) && option[each.size()] == '=')) name = each;
        }
        const std::size_t begin = is_architecture ? 0 : name.size() + 1;
        const bool has_value = is_architecture || (!name.empty() && option.size() > name.size());
        result.options.push_back(option);
        if (has_value && option.compare(begin, 3, "sm_") == 0) {
            result.options.back().replace(begin, 3, "compute_");
            result.asked_for_machine_code = true;
        }
        is_architecture = !is_architecture && !name.empty() && option == name;
    }
    return result;
}

}  // namespace CUBIND_NAMESPACE::sim
