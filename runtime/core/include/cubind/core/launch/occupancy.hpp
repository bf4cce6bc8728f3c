// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/kernel.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace CUBIND_NAMESPACE {

struct LaunchConfig;

namespace detail {

/// A callable that receives a number of threads and returns a number of bytes. A number does not satisfy the concept.
template <class Callable>
concept ReturnsSizeOfBlock = std::is_invocable_r_v<std::size_t, Callable&, int> && !std::convertible_to<Callable, std::size_t>;

}  // namespace detail

/// A block size with the best occupancy of the device, and the smallest grid that reaches it.
struct PotentialBlockSize {
    int min_grid_size;   ///< in blocks
    int max_block_size;  ///< in threads
};

/// The numbers of blocks and clusters of a kernel that a device runs at once. A view: each function calls the driver. The
/// numbers assume that the kernel runs alone on the device. All functions throw std::invalid_argument for sizes that are not
/// positive. Any thread may use it.
///
///     auto [grid, block] = kernel.occupancy().max_potential_block_size();
///     int blocks = kernel.occupancy().max_active_blocks_per_multiprocessor(block);
class CUBIND_EXPORT KernelOccupancy {
public:
    /// Creates a view of the kernel's occupancy of the device. Makes no driver call.
    KernelOccupancy(Kernel kernel, Device device) noexcept : kernel_(std::move(kernel)), device_(device) {}

    /// Returns the device.
    [[nodiscard]] Device device() const noexcept { return device_; }

    /// Returns the number of blocks of `block_size` threads that one multiprocessor runs at once; 0 if such a block cannot run.
    /// The dynamic shared memory of a block is in bytes (cuOccupancyMaxActiveBlocksPerMultiprocessor).
    [[nodiscard]] int max_active_blocks_per_multiprocessor(int block_size, std::size_t dynamic_shared_memory_size = 0) const;

    /// Returns the block size with the best occupancy if every block has the same dynamic shared memory, in bytes. The block
    /// has at most `block_size_limit` threads unless the limit is 0 (cuOccupancyMaxPotentialBlockSize).
    [[nodiscard]] PotentialBlockSize max_potential_block_size(std::size_t dynamic_shared_memory_size = 0,
                                                              int block_size_limit = 0) const;

    /// Returns the block size with the best occupancy if the dynamic shared memory depends on the block size. The callable
    /// receives a number of threads and returns the bytes of shared memory. Rethrows an exception of the callable.
    ///
    ///     auto best = kernel.occupancy().max_potential_block_size([](int threads) { return threads * sizeof(float); });
    template <detail::ReturnsSizeOfBlock Callable>
    [[nodiscard]] PotentialBlockSize max_potential_block_size(Callable&& dynamic_shared_memory_size,
                                                              int block_size_limit = 0) const {
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

    /// Returns the dynamic shared memory that each block can have, in bytes, if `blocks_per_multiprocessor` blocks run on one
    /// multiprocessor at once (cuOccupancyAvailableDynamicSMemPerBlock).
    [[nodiscard]] std::size_t available_dynamic_shared_memory_per_block(int blocks_per_multiprocessor, int block_size) const;

    /// Returns the number of blocks of the largest cluster that can be launched with this grid, block and shared memory. The
    /// cluster of `config` is ignored (cuOccupancyMaxPotentialClusterSize).
    [[nodiscard]] int max_potential_cluster_size(const LaunchConfig& config) const;

    /// Returns the number of clusters that the device runs at once. The size of the clusters is stated by `config`, or by the
    /// kernel's code if `config` has no cluster (cuOccupancyMaxActiveClusters).
    [[nodiscard]] int max_active_clusters(const LaunchConfig& config) const;

private:
    /// A callable whose type is erased.
    struct BlockMemorySize {
        void* callable;
        std::size_t (*call)(void* callable, int block_size);
    };
    PotentialBlockSize max_potential_block_size(BlockMemorySize size, int block_size_limit) const;

    Kernel kernel_;
    Device device_;
};

}  // namespace CUBIND_NAMESPACE
