// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/refused_launch.hpp"

#include <cubind/core/device.hpp>
#include <cubind/driver/library.hpp>
#include <cubind/driver/occupancy.hpp>
#include <cubind/driver/version.hpp>

#include <span>

#include "launch/kernel_parameters.hpp"
#include "launch/native_launch.hpp"
#include "support/driver.hpp"

namespace cubind::detail {
namespace {

std::string shape(const Dim3& dim) {
    return concat("(", dim.x, ", ", dim.y, ", ", dim.z, ")");
}

// Launches count in 64 bits what extents of 32 bits can multiply to.
bool exceeds(const Dim3& dim, unsigned long long limit) {
    const unsigned long long plane = 1ull * dim.x * dim.y;
    return dim.z != 0 && plane > limit / dim.z;
}

}  // namespace

RefusedLaunch::RefusedLaunch(StreamRef stream, const LaunchConfig& config, driver::CUkernel kernel)
    : stream_(stream),
      config_(config),
      kernel_(kernel),
      context_(stream.context()),
      device_(DeviceTable::get().at(context_.device().ordinal())) {}

int RefusedLaunch::of_kernel(driver::CUfunction_attribute which) const {
    return check(driver::cuKernelGetAttribute(which, kernel_, device_.handle()));
}

std::string RefusedLaunch::description() const {
    std::string text = concat("It was kernel ", quoted_name(kernel_), " on device ", device_.ordinal(), " with grid ", shape(config_.grid),
                              ", block ", shape(config_.block));
    if (config_.cluster) text.append(concat(", cluster ", shape(*config_.cluster)));
    if (config_.shared_memory_size != 0) text.append(concat(", ", config_.shared_memory_size, " bytes of dynamic shared memory"));
    return text.append(".");
}

std::string RefusedLaunch::extents() const {
    const struct {
        const char* name;
        unsigned int value;
        driver::CUdevice_attribute limit;
    } extents[] = {
        {"grid.x", config_.grid.x, driver::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
        {"grid.y", config_.grid.y, driver::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
        {"grid.z", config_.grid.z, driver::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
        {"block.x", config_.block.x, driver::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
        {"block.y", config_.block.y, driver::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
        {"block.z", config_.block.z, driver::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
    };
    for (const auto& [name, value, limit] : extents) {
        const int most = of_device(limit);
        if (value == 0) return concat(name, " is 0: a launch of nothing is not possible, so leave it out or give at least 1.");
        if (value > static_cast<unsigned int>(most)) return concat(name, " is ", value, ", but the device's limit is ", most, ".");
    }
    return {};
}

std::string RefusedLaunch::threads() const {
    const auto most = static_cast<unsigned long long>(of_device(driver::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    if (exceeds(config_.block, most)) return concat("The block has ", config_.block.count(), " threads, but the device's limit is ", most, ".");
    const auto of_this = static_cast<unsigned long long>(of_kernel(driver::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    if (!exceeds(config_.block, of_this)) return {};
    return concat("The block has ", config_.block.count(), " threads, but the kernel's limit is ", of_this, ": it uses ",
                  of_kernel(driver::CU_FUNC_ATTRIBUTE_NUM_REGS), " registers a thread, or was compiled with a bound; use a smaller block, "
                  "or compile it with __launch_bounds__ or a register limit.");
}

std::string RefusedLaunch::shared_memory() const {
    const int fixed = of_kernel(driver::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    const int of_block = of_device(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (fixed > of_block) return concat("The kernel has ", fixed, " bytes of static shared memory, but the device's limit is ", of_block, ".");
    const std::size_t dynamic = config_.shared_memory_size;
    if (dynamic > static_cast<std::size_t>(of_block - fixed)) {
        return concat("The block has ", dynamic, " bytes of dynamic shared memory, but the limit is ", of_block - fixed, ": the device has ",
                      of_block, " for a block, ", fixed, " of which the kernel uses as static shared memory.");
    }
    const int allowed = of_kernel(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    if (dynamic <= static_cast<std::size_t>(allowed)) return {};
    return concat("The block has ", dynamic, " bytes of dynamic shared memory, but the kernel's limit was set to ", allowed,
                  " (CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES).");
}

std::string RefusedLaunch::cluster() const {
    if (!config_.cluster) {
        const bool is_needed = of_kernel(driver::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) != 0;
        const int width = of_kernel(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
        if (is_needed && width == 0) return "The kernel needs clusters: set LaunchConfig::cluster.";
        if (width == 0) return {};
        return cluster_shape({width, of_kernel(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT),
                              of_kernel(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)});
    }
    const int major = of_device(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    if (major < 9) {
        return concat("Clusters need compute capability 9.0, but the device has ", major, ".",
                      of_device(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), ".");
    }
    return cluster_shape(*config_.cluster);
}

std::string RefusedLaunch::cluster_shape(const Dim3& cluster) const {
    const Dim3& grid = config_.grid;
    if (cluster.count() == 0) return concat("The cluster ", shape(cluster), " is empty: extents count from 1.");
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
        return concat("The grid ", shape(grid), " is no multiple of the cluster ", shape(cluster), ": the grid counts blocks, not clusters.");
    }
    constexpr unsigned long long portable = 8;
    if (!exceeds(cluster, portable)) return {};
    return concat("The cluster has ", cluster.count(), " blocks, but only ", portable, " are possible on every device: more, if the device can, "
                  "need CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED of the kernel.");
}

std::string RefusedLaunch::cooperation() const {
    if (!config_.cooperative) return {};
    if (of_device(driver::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0) return "The device cannot launch cooperatively.";
    const int multiprocessors = of_device(driver::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    const ScopedContext scope(context_);
    const int each = check(driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(
        reinterpret_cast<driver::CUfunction>(kernel_), static_cast<int>(config_.block.count()), config_.shared_memory_size));
    const unsigned long long most = 1ull * static_cast<unsigned int>(each) * static_cast<unsigned int>(multiprocessors);
    if (!exceeds(config_.grid, most)) return {};
    return concat("All blocks of a cooperative launch run at once: the grid ", shape(config_.grid), " has more than the limit of ", most,
                  " blocks, ", each, " on each of ", multiprocessors, " multiprocessors; let each block do more.");
}

std::string RefusedLaunch::newer_attribute() const {
    const int driver = check(driver::cuDriverGetVersion());
    const NativeLaunch native(config_, stream_.native_handle());
    for (const driver::CUlaunchAttribute& attribute : std::span(native.config().attrs, native.config().numAttrs)) {
        const int needed = first_release_of(attribute.id);
        if (driver >= needed) continue;
        return concat(driver::to_string(attribute.id), " needs a driver of CUDA ", needed / 1000, ".", needed % 1000 / 10, ", but this one is of ",
                      driver / 1000, ".", driver % 1000 / 10, ".");
    }
    return {};
}

int first_release_of(driver::CUlaunchAttributeID attribute) noexcept {
    switch (attribute) {
        case driver::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: return 12030;
        case driver::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: return 12040;
        case driver::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return 12050;
        case driver::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: return 12080;
        case driver::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING: return 13000;
        case driver::CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE:
        case driver::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE: return 13020;
        default: return 12000;
    }
}

}  // namespace cubind::detail
