// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/launch.hpp>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <span>

#include "ptx/run/memory.hpp"
#include "ptx/run/program.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

class KernelCode;

/// A launch of a kernel.
struct GridRequest {
    KernelCode* code = nullptr;
    const Program* kernel = nullptr;  ///< of the code
    Extent3 grid;
    Extent3 block;
    std::size_t dynamic_shared_bytes = 0;
    std::span<const std::byte> parameters;
    GlobalMemory* memory = nullptr;
    unsigned multiprocessors = 1;
    unsigned target = 90;  ///< compute capability: 10 * major + minor
    bool is_cooperative = false;
    unsigned workers = 1;                             ///< threads of the host that run blocks
    std::uint64_t seed = 0;                           ///< permutes blocks and warps; 0 runs them in order
    const std::atomic<bool>* is_cancelled = nullptr;  ///< ends the launch when true; may be null
};

/// How a launch ended.
struct GridResult {
    driver::CUresult status = driver::CUresult{};
    std::string problem;
};

/// What all blocks of a launch share. Thread-safe.
class Grid {
public:
    explicit Grid(const GridRequest& own_request) : request(own_request) {}

    /// Stores the first failure of the launch. All blocks end then.
    void fail(driver::CUresult status, std::string problem);
    bool has_failed() const noexcept { return has_failed_.load(std::memory_order_relaxed); }
    bool must_end() const noexcept {
        return has_failed() || (request.is_cancelled != nullptr && request.is_cancelled->load(std::memory_order_relaxed));
    }
    GridResult result() const;

    const GridRequest& request;

private:
    std::atomic<bool> has_failed_{false};
    mutable std::mutex mutex_;
    GridResult result_;
};

/// Runs a launch and waits for its end.
GridResult run_grid(const GridRequest& request);

}  // namespace CUBIND_NAMESPACE::sim::ptx
