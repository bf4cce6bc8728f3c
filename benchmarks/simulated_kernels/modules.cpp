// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "modules.hpp"

#include <cctype>
#include <cstdio>
#include <cstdlib>

using namespace cubind::driver;

namespace {

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "cannot %s\n", what);
    std::exit(1);
}

// Returns a kernel from its directive to the end of its body.
std::string_view find_kernel(std::string_view ptx, const std::string& name) {
    const std::size_t begin = ptx.find(".visible .entry " + name + "(");
    if (begin == std::string_view::npos) fail(("find kernel " + name).c_str());
    return ptx.substr(begin, ptx.find("\n}\n", begin) + 3 - begin);
}

std::string replace(std::string_view text, std::string_view from, std::string_view to) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t found = text.find(from, at);
        result += text.substr(at, found - at);
        if (found == std::string_view::npos) break;
        result += to;
        at = found + from.size();
    }
    return result;
}

// NVRTC writes each instruction to a line of its own, after a tab and an optional guard.
std::size_t count_instructions(std::string_view ptx) {
    std::size_t count = 0;
    for (std::size_t at = ptx.find("\n\t"); at != std::string_view::npos; at = ptx.find("\n\t", at + 1)) {
        const char first = at + 2 < ptx.size() ? ptx[at + 2] : '\0';
        count += first == '@' || std::islower(static_cast<unsigned char>(first)) != 0;
    }
    return count;
}

void check(CUresult status, const char* what) {
    if (status != CUDA_SUCCESS) fail(what);
}

}  // namespace

LargeModule multiply_module(std::string_view ptx, const std::vector<SmallLaunch>& launches, std::size_t instructions) {
    LargeModule result;
    result.ptx = ptx.substr(0, ptx.find(".visible .entry "));
    for (std::size_t copy = 0; result.instructions < instructions; ++copy) {
        for (const SmallLaunch& each : launches) {
            const std::string name = each.kernel + std::to_string(copy);
            const std::string kernel = replace(find_kernel(ptx, each.kernel), each.kernel, name);
            result.instructions += count_instructions(kernel);
            result.ptx += kernel;
            result.launches.push_back({name, each.arguments});
            if (result.instructions >= instructions) break;
        }
    }
    return result;
}

void load_and_launch(const LargeModule& module) {
    const auto [status, loaded] = cuModuleLoadData(module.ptx.c_str());
    check(status, "load the module");
    for (const SmallLaunch& each : module.launches) {
        std::vector<std::uint64_t> arguments = each.arguments;
        std::vector<void*> addresses;
        for (std::uint64_t& argument : arguments) addresses.push_back(&argument);
        const CUfunction function = cuModuleGetFunction(loaded, each.kernel.c_str()).value;
        check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, addresses.data(), nullptr).status, "launch a kernel");
    }
    check(cuCtxSynchronize().status, "wait for the kernels");
    check(cuModuleUnload(loaded).status, "unload the module");
}
