// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/core/kernel.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace cubind {

struct LaunchConfig;

/// The block with which a kernel keeps the whole device busiest, and the smallest grid that does so.
struct PotentialBlockSize {
    int min_grid_size;   ///< in blocks
    int max_block_size;  ///< in threads
};

/// How many blocks of a kernel a device runs at once. A view: each call asks the driver. Numbers are for the kernel alone on the
/// device. std::invalid_argument for sizes that are not positive. Any thread may use it.
///
///     auto [grid, block] = kernel.occupancy().max_potential_block_size();
///     int blocks = kernel.occupancy().max_active_blocks_per_multiprocessor(block);
class KernelOccupancy {
public:
    KernelOccupancy(Kernel kernel, Device device) noexcept : kernel_(std::move(kernel)), device_(device) {}

    Device device() const noexcept { return device_; }

    /// Blocks of so many threads that one multiprocessor runs at once; 0: such a block cannot run
    /// (cuOccupancyMaxActiveBlocksPerMultiprocessor).
    int max_active_blocks_per_multiprocessor(int block_size, std::size_t dynamic_shared_memory_size = 0) const;

    /// The best block, of no more threads than `block_size_limit` unless that is 0, if every block has the same dynamic shared
    /// memory (cuOccupancyMaxPotentialBlockSize).
    PotentialBlockSize max_potential_block_size(std::size_t dynamic_shared_memory_size = 0, int block_size_limit = 0) const;

    /// The same if the dynamic shared memory depends on the block: any callable that gives bytes for a number of threads. What it
    /// throws, this throws.
    ///
    ///     auto best = kernel.occupancy().max_potential_block_size([](int threads) { return threads * sizeof(float); });
    template <class Callable>
    requires std::is_invocable_r_v<std::size_t, Callable&, int> &&(!std::convertible_to<Callable, std::size_t>)PotentialBlockSize
        max_potential_block_size(Callable&& dynamic_shared_memory_size, int block_size_limit = 0) const {
        if constexpr (std::is_function_v<std::remove_reference_t<Callable>>) {
            return max_potential_block_size(&dynamic_shared_memory_size, block_size_limit);  // a pointer to it is an object
        } else {
            using Decayed = std::remove_reference_t<Callable>;
            const auto call = [](void* callable, int block_size) -> std::size_t {
                return static_cast<std::size_t>((*static_cast<Decayed*>(callable))(block_size));
            };
            void* const callable = const_cast<void*>(static_cast<const void*>(std::addressof(dynamic_shared_memory_size)));
            return max_potential_block_size({callable, call}, block_size_limit);
        }
    }

    /// Dynamic shared memory of each block, in bytes, with which so many blocks fit onto a multiprocessor
    /// (cuOccupancyAvailableDynamicSMemPerBlock).
    std::size_t available_dynamic_shared_memory_per_block(int blocks_per_multiprocessor, int block_size) const;

    /// Blocks of the largest cluster that can be launched with this grid, block and shared memory; the cluster that it names
    /// is not looked at (cuOccupancyMaxPotentialClusterSize).
    int max_potential_cluster_size(const LaunchConfig& config) const;

    /// Clusters of the size that the launch, or else the kernel's code, names that the device runs at once
    /// (cuOccupancyMaxActiveClusters).
    int max_active_clusters(const LaunchConfig& config) const;

private:
    /// A callable without its type.
    struct SizeOfBlock {
        void* callable;
        std::size_t (*call)(void* callable, int block_size);
    };
    PotentialBlockSize max_potential_block_size(SizeOfBlock size, int block_size_limit) const;

    Kernel kernel_;
    Device device_;
};

}  // namespace cubind
