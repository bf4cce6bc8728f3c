// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include "kernel_runner.hpp"

/// Kernels in which threads depend on one another.
namespace cubind::testing {

/// Returns PTX with the kernel "test". `body` runs with these registers: %index (of the thread in the grid), %lane, %mine
/// (address of the thread's own word in `out`), %out, %in, and %a to %h, %x to %z, %p, %q, %r for its own use. The body stores
/// its results.
inline std::string control_kernel(const std::string& body, const std::string& before = {}) {
    return ".version 8.8\n.target sm_90\n.address_size 64\n" + before +
           ".visible .entry test(.param .u64 out, .param .u64 in) {\n.reg .pred %p, %q, %r;\n"
           ".reg .b16 %s;\n.reg .b32 %a, %b, %c, %d, %e, %f, %g, %h, %index, %lane, %threads, %block;\n"
           ".reg .b64 %x, %y, %z, %out, %in, %mine, %wide;\n"
           "mov.u32 %index, %tid.x;\nmov.u32 %threads, %ntid.x;\nmov.u32 %block, %ctaid.x;\n"
           "mad.lo.s32 %index, %block, %threads, %index;\nmov.u32 %lane, %laneid;\n"
           "ld.param.u64 %out, [out];\nld.param.u64 %in, [in];\n"
           "mul.wide.u32 %wide, %index, 4;\nadd.s64 %mine, %out, %wide;\n" +
           body + "\nret;\n}\n";
}

/// A run of such a kernel.
struct ControlRun {
    sim::ptx::GridResult result;
    std::vector<std::uint32_t> out;  ///< a word of each thread
    std::vector<std::uint32_t> in;   ///< after the run
};

/// Properties of a run other than its text.
struct ControlLaunch {
    unsigned blocks = 1;
    unsigned threads = 32;
    std::vector<std::uint32_t> in = std::vector<std::uint32_t>(64);
    sim::ptx::GridRequest prototype = {};
    bool is_compared = true;  ///< with a GPU; false if the results differ from run to run
};

inline ControlRun run_control(const std::string& text, const ControlLaunch& launch = {}) {
    KernelRunner runner(text);
    runner.prototype = launch.prototype;
    runner.is_compared = launch.is_compared;
    const std::size_t count = std::size_t{launch.blocks} * launch.threads;
    const std::uint64_t out = runner.memory.allocate(count * sizeof(std::uint32_t));
    const std::uint64_t in = runner.memory.add(launch.in);
    ControlRun run;
    run.result = runner.run("test", {launch.blocks, 1, 1}, {launch.threads, 1, 1}, {out, in});
    run.out = runner.memory.read<std::uint32_t>(out, count);
    run.in = runner.memory.read<std::uint32_t>(in, launch.in.size());
    return run;
}

/// Runs a body that must succeed, and returns the words of the threads.
inline std::vector<std::uint32_t> results_of(const std::string& body, const ControlLaunch& launch = {},
                                             const std::string& before = {}) {
    const ControlRun run = run_control(control_kernel(body, before), launch);
    EXPECT_EQ(run.result.status, driver::CUDA_SUCCESS) << run.result.problem;
    return run.out;
}

/// Returns a vector of a function of the index of each thread.
template <class Function>
std::vector<std::uint32_t> expected(std::size_t threads, Function function) {
    std::vector<std::uint32_t> values(threads);
    for (std::size_t i = 0; i < threads; ++i) values[i] = static_cast<std::uint32_t>(function(static_cast<std::uint32_t>(i)));
    return values;
}

}  // namespace cubind::testing
