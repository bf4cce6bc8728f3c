// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/launch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "ptx/program/code_map.hpp"
#include "ptx/run/heap.hpp"
#include "ptx/run/texture.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

class DeviceRuntime;
class DeviceRuntimeHost;

/// A launch of a kernel.
struct GridRequest {
    CodeMap* code = nullptr;
    const Program* kernel = nullptr;  ///< of the code
    Extent3 grid;
    Extent3 block;
    Extent3 cluster;                   ///< divides the grid; {1, 1, 1} for no clusters
    bool is_explicit_cluster = false;  ///< whether the launch or the kernel requests clusters, which may have one block
    std::size_t dynamic_shared_bytes = 0;
    std::span<const std::byte> parameters;
    GlobalMemory* memory = nullptr;
    DeviceHeap* heap = nullptr;                ///< memory of malloc(); null gives the launch its own
    std::size_t heap_bytes = 8 * 1024 * 1024;  ///< limit of a heap of the launch's own
    std::size_t stack_bytes = 64 * 1024;       ///< local memory of each thread for calls
    unsigned multiprocessors = 1;
    bool is_cooperative = false;
    unsigned workers = 1;               ///< threads of the host that run blocks
    std::uint64_t seed = 0;             ///< permutes blocks and warps; 0 runs them in order
    TextureSource* textures = nullptr;  ///< null if the kernel may use none
    /// Returns why the launch must end although it has not failed, or an empty text. All workers call it often. An empty function
    /// never ends the launch.
    std::function<std::string()> find_interruption;
    /// Sets the value of a condition of a graph and returns whether it exists. Null if the kernel may set none.
    bool (*set_condition)(std::uint64_t handle, unsigned value) = nullptr;
    std::uint64_t graph = 0;            ///< handle of the graph that the kernel runs in, if kernels can launch it; otherwise 0
    DeviceRuntimeHost* host = nullptr;  ///< what kernels need to launch others; null if they may not
    DeviceRuntime* runtime = nullptr;   ///< of the grid; set for launches with a host
};

/// How a launch ended.
struct GridResult {
    driver::CUresult status = driver::CUresult{};
    std::string problem;
};

/// What all blocks of a launch share. Thread-safe.
class Grid {
public:
    explicit Grid(const GridRequest& own_request);

    /// Stores the first failure of the launch. All blocks end then.
    void fail(driver::CUresult status, std::string problem);
    bool has_failed() const noexcept { return has_failed_.load(std::memory_order_relaxed); }
    /// Stores as the first failure that the host has no memory left. Allocates none.
    void fail_without_memory() noexcept;
    GridResult result() const;
    /// Returns why the request demands the end of the launch, or an empty text.
    std::string find_interruption() const;
    /// Ends the launch with this reason and what was interrupted.
    void interrupt(const std::string& reason, const std::string& place);
    /// Memory of the heap, from which kernels allocate.
    DeviceHeap& heap() noexcept { return request.heap != nullptr ? *request.heap : own_heap_; }
    /// Returns the address of the memory in which cooperative groups count the blocks of a cooperative launch, or 0.
    std::uint64_t workspace() const noexcept { return request.is_cooperative ? memory_.address() : 0; }
    std::uint64_t blocks() const noexcept { return blocks_; }
    /// Counts a block as arrived at the barrier of the grid. Returns the number that has_passed_barrier() needs.
    std::uint64_t arrive() noexcept { return (arrivals_.fetch_add(1, std::memory_order_acq_rel) / blocks_ + 1) * blocks_; }
    /// Returns whether all blocks have arrived at the barrier for which arrive() returned this number.
    bool has_passed_barrier(std::uint64_t arrivals) const noexcept {
        return arrivals_.load(std::memory_order_acquire) >= arrivals;
    }
    /// Global memory, with the workspace.
    const GlobalMemory& memory() const noexcept { return memory_; }

    const GridRequest& request;
    const std::uint64_t number;  ///< differs between the launches of a process

private:
    /// The global memory of the request, with the memory that the launch has for itself.
    class Memory final : public GlobalMemory {
    public:
        Memory(GlobalMemory& all, DeviceRuntime* runtime) : all_(all), runtime_(runtime) {}
        bool find(std::uint64_t address, MemoryRange& range) const override;
        std::string describe(std::uint64_t address) const override { return all_.describe(address); }
        std::uint64_t allocate(std::size_t bytes) override { return all_.allocate(bytes); }
        bool free(std::uint64_t address) override { return all_.free(address); }
        std::uint64_t address() const noexcept { return reinterpret_cast<std::uint64_t>(workspace_.get()); }

    private:
        using Workspace = std::array<std::uint64_t, 32>;
        GlobalMemory& all_;
        DeviceRuntime* const runtime_;
        std::shared_ptr<Workspace> workspace_ = std::make_shared<Workspace>();
    };

    Memory memory_;
    DeviceHeap own_heap_;
    const std::uint64_t blocks_;
    std::atomic<std::uint64_t> arrivals_{0};  ///< of blocks at the barriers of the grid
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<bool> has_failed_{false};
    mutable std::mutex mutex_;
    GridResult result_;
};

/// The blocks of a grid that have not ended. Thread-safe.
class GridBlocks {
public:
    virtual ~GridBlocks() = default;
    /// The result of run_share(): no block could run, or a block has paused or ended.
    enum class Share { none, paused, ended };
    /// Runs a block until it has ended, or has run for its share.
    virtual Share run_share() = 0;
    /// Returns whether a block could run.
    virtual bool has_work() = 0;
    virtual bool have_ended() = 0;
};

std::unique_ptr<GridBlocks> make_blocks(Grid& grid);

/// Returns why a grid cannot run, or success.
GridResult find_problem(const GridRequest& request);

/// Runs a launch, with the launches of its kernels, and waits for its end.
GridResult run_grid(const GridRequest& request);

}  // namespace CUBIND_NAMESPACE::sim::ptx
