// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/launch/occupancy.hpp>
#include <cubind/driver/occupancy.hpp>

#include <exception>
#include <limits>

#include "calls/driver.hpp"
#include "launch/native_launch.hpp"

namespace CUBIND_NAMESPACE {
namespace {

// The driver accepts a kernel in place of a function of the current context.
driver::CUfunction function(const Kernel& kernel) {
    return reinterpret_cast<driver::CUfunction>(kernel.native_handle());
}

void check_positive(int value, const char* what) {
    if (value <= 0) detail::throw_misuse(what, " is ", value, ", but it must be at least 1");
}

void check_limit(int block_size_limit) {
    if (block_size_limit < 0)
        detail::throw_misuse("block_size_limit is ", block_size_limit, ", but it must be at least 0; 0 is no limit");
}

void check_shared_memory(const LaunchConfig& config) {
    constexpr unsigned int max_size = std::numeric_limits<unsigned int>::max();
    if (config.shared_memory_size <= max_size) return;
    detail::throw_misuse("LaunchConfig::shared_memory_size is ", config.shared_memory_size,
                         " bytes, but a launch can request at most ", max_size, " bytes");
}

/// A callable that the driver calls on this thread, and the exception that it threw. The driver's callback has no argument for
/// user data, so it reaches the callable through `active`.
struct ActiveCallable {
    void* callable;
    std::size_t (*call)(void* callable, int block_size);
    std::exception_ptr thrown = nullptr;
};
thread_local ActiveCallable* active = nullptr;

std::size_t call_active(int block_size) noexcept {
    if (active->thrown) return 0;
    try {
        return active->call(active->callable, block_size);
    } catch (...) {
        active->thrown = std::current_exception();
        return 0;
    }
}

}  // namespace

KernelOccupancy Kernel::occupancy(Device device) const {
    return KernelOccupancy(*this, device);
}

KernelOccupancy Kernel::occupancy() const {
    return occupancy(Device());
}

int KernelOccupancy::max_active_blocks_per_multiprocessor(int block_size, std::size_t dynamic_shared_memory_size) const {
    check_positive(block_size, "block_size");
    const ScopedContext scope(device_.context());
    return check(driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(function(kernel_), block_size, dynamic_shared_memory_size));
}

PotentialBlockSize KernelOccupancy::max_potential_block_size(std::size_t dynamic_shared_memory_size, int block_size_limit) const {
    check_limit(block_size_limit);
    const ScopedContext scope(device_.context());
    const auto [grid, block] =
        check(driver::cuOccupancyMaxPotentialBlockSize(function(kernel_), nullptr, dynamic_shared_memory_size, block_size_limit));
    return {grid, block};
}

PotentialBlockSize KernelOccupancy::max_potential_block_size(BlockMemorySize size, int block_size_limit) const {
    check_limit(block_size_limit);
    const ScopedContext scope(device_.context());
    ActiveCallable current{size.callable, size.call};
    ActiveCallable* const previous = std::exchange(active, &current);
    const auto result = driver::cuOccupancyMaxPotentialBlockSize(function(kernel_), call_active, 0, block_size_limit);
    active = previous;
    if (current.thrown) std::rethrow_exception(current.thrown);
    const auto [grid, block] = detail::check_latest(result);
    return {grid, block};
}

std::size_t KernelOccupancy::available_dynamic_shared_memory_per_block(int blocks_per_multiprocessor, int block_size) const {
    check_positive(blocks_per_multiprocessor, "blocks_per_multiprocessor");
    check_positive(block_size, "block_size");
    const ScopedContext scope(device_.context());
    const auto result = driver::cuOccupancyAvailableDynamicSMemPerBlock(function(kernel_), blocks_per_multiprocessor, block_size);
    if (result.status == driver::CUDA_ERROR_INVALID_VALUE) {
        const int limit = check(driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(function(kernel_), block_size, 0));
        if (limit < blocks_per_multiprocessor) {
            detail::throw_misuse("a multiprocessor cannot run ", blocks_per_multiprocessor, " blocks of ", block_size,
                                 " threads at once, even without dynamic shared memory: the limit is ", limit);
        }
    }
    return detail::check_latest(result);
}

int KernelOccupancy::max_potential_cluster_size(const LaunchConfig& config) const {
    check_shared_memory(config);
    const ScopedContext scope(device_.context());
    const detail::NativeLaunch launch(config, nullptr);
    return check(driver::cuOccupancyMaxPotentialClusterSize(function(kernel_), &launch.config()));
}

int KernelOccupancy::max_active_clusters(const LaunchConfig& config) const {
    check_shared_memory(config);
    const ScopedContext scope(device_.context());
    const detail::NativeLaunch launch(config, nullptr);
    return check(driver::cuOccupancyMaxActiveClusters(function(kernel_), &launch.config()));
}

}  // namespace CUBIND_NAMESPACE
