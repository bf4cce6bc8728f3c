// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvjitlink.hpp>
#include <cubind/nvrtc.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cubind::testing {

/// The result of a compilation with NVRTC. Code that the options do not request is empty.
struct Compiled {
    cubind::nvrtc::nvrtcResult status;
    std::string log;
    std::string ptx;
    std::string cubin;
    std::string lto_ir;
};
/// Compiles a source with NVRTC.
Compiled compile(const char* source, const std::vector<const char*>& options);

/// The result of a link with nvJitLink. `status` is the status of the first call that failed.
struct Linked {
    cubind::nvjitlink::nvJitLinkResult status;
    std::string info;
    std::string errors;
    std::string cubin;
};
using Inputs = std::vector<std::pair<cubind::nvjitlink::nvJitLinkInputType, std::string>>;
/// Links inputs with nvJitLink.
Linked link(const Inputs& inputs, std::vector<const char*> options);

}  // namespace cubind::testing
