// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <cubind/nvjitlink.hpp>
#include <cubind/nvrtc.hpp>

namespace cubind::testing {

/// What NVRTC makes of a source: the status of the compilation, its log, and the code, empty where the options ask for none.
struct Compiled {
    cubind::nvrtc::nvrtcResult status;
    std::string log;
    std::string ptx;
    std::string cubin;
    std::string lto_ir;
};
Compiled compile(const char* source, const std::vector<const char*>& options);

/// What nvJitLink makes of inputs: the status of the first call that failed, its logs, and the linked cubin.
struct Linked {
    cubind::nvjitlink::nvJitLinkResult status;
    std::string info;
    std::string errors;
    std::string cubin;
};
using Inputs = std::vector<std::pair<cubind::nvjitlink::nvJitLinkInputType, std::string>>;
Linked link(const Inputs& inputs, std::vector<const char*> options);

}  // namespace cubind::testing
