// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/launch_diagnostics.hpp"

#include <cubind/core/launch/dim3.hpp>
#include <cubind/detail/ptx_isa.hpp>
#include <cubind/driver/library.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/occupancy.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/driver/version.hpp>

#include <algorithm>
#include <limits>
#include <span>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "launch/native_launch.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- extents ------------------------------------------------------------------------------------------------------------

void throw_extent_is_negative(long long value) {
    throw_misuse("an extent of a grid, block or cluster is ", value, ": it must be at least 1");
}

void throw_extent_is_too_large(unsigned long long value) {
    throw_misuse("an extent of a grid, block or cluster is ", value, ": it must be at most ",
                 std::numeric_limits<unsigned int>::max());
}

void throw_count_is_negative(long long count) {
    throw_misuse("blocks_for: the count is ", count, ", but it must be at least 0");
}

void throw_block_size_is_not_positive(long long block_size) {
    throw_misuse("blocks_for: the block size is ", block_size, ", but it must be at least 1");
}

void throw_too_many_blocks(unsigned long long blocks, unsigned long long count, unsigned long long block_size) {
    throw_misuse("blocks_for: ", count, " elements need ", blocks, " blocks of ", block_size, " threads, but a grid has at most ",
                 max_blocks, " in x: use larger blocks, or let each thread process several elements");
}

// ---- arguments -----------------------------------------------------------------------------------------------------------

namespace {

// Returns the name in the code, which only views of native handles lack.
std::string quoted_name(const KernelState& kernel) {
    if (!kernel.symbol().empty()) return concat("\"", kernel.symbol(), "\"");
    if (!driver::has(driver::cuKernelGetName)) return "of unknown name";  // before CUDA 12.3
    const auto [status, name] = driver::cuKernelGetName(kernel.handle());
    return status == driver::CUDA_SUCCESS && name != nullptr ? concat("\"", name, "\"") : std::string("of unknown name");
}

std::string parameter_sizes(const ParameterList& list) {
    if (list.sizes.empty()) return "it has no parameters";
    std::string text = list.read == ParametersRead::all ? "sizes of its parameters: " : "sizes of its first parameters: ";
    for (std::size_t i = 0; i < list.sizes.size(); ++i) text.append(i == 0 ? "" : ", ").append(std::to_string(list.sizes[i]));
    return text.append(" bytes");
}

struct Mismatch {
    std::string text = {};            ///< empty if there is none
    bool is_of_one_argument = false;  ///< false if the number of arguments is wrong
};

// Returns how the parameters are described in messages: by their types if the code tells them, otherwise by their sizes.
std::string parameters_text(const ParameterList& list, const Signature& signature) {
    return signature.agrees_with(list) ? "its signature is " + signature.to_string() : parameter_sizes(list);
}

// Compares the types of arguments, or of a signature's parameters if `is_signature`, with those of the kernel's parameters.
Mismatch find_mismatch(const unsigned int* given, const ParameterList& list, const KernelState& kernel, bool is_signature) {
    if (list.read == ParametersRead::none) return {};
    const Signature signature = kernel.signature();
    const bool has_types = signature.agrees_with(list);
    const std::size_t count = given[0];
    const unsigned int* const sizes = given + 1;
    const auto common = std::min(count, list.sizes.size());
    const auto which = [&](std::size_t i) {
        return concat("kernel ", quoted_name(kernel), ": ", is_signature ? "type " : "argument ", i + 1);
    };
    for (std::size_t i = 0; i < common; ++i) {
        if (sizes[i] != list.sizes[i]) {
            return {concat(which(i), " has ", sizes[i], " bytes, but parameter ", i + 1, " has ", list.sizes[i], " (",
                           parameters_text(list, signature), ")"),
                    true};
        }
        const auto code = static_cast<unsigned char>(given[1 + count + i / 4] >> i % 4 * 8);
        if (!has_types || !is_wrong_type(code, signature.parameters[i].code)) continue;
        return {concat(which(i), " is ", describe_type(code, sizes[i]), ", but parameter ", i + 1, " is ",
                       signature.parameters[i].text, " (", parameters_text(list, signature), ")"),
                true};
    }
    if (count == list.sizes.size()) return {};
    const bool is_minimum = list.read == ParametersRead::beginning;
    const std::string given_text = is_signature ? concat("the signature has ", count)
                                   : count == 1 ? std::string("1 argument was given")
                                                : std::to_string(count).append(" arguments were given");
    return {concat("kernel ", quoted_name(kernel), ": it has ", is_minimum ? "at least " : "", list.sizes.size(),
                   " parameters, but ", given_text, " (", parameters_text(list, signature), ")")};
}

}  // namespace

std::string argument_mistake(const unsigned int* types, const ParameterList& parameters, const KernelState& kernel) {
    const Mismatch mismatch = find_mismatch(types, parameters, kernel, false);
    if (!mismatch.is_of_one_argument) return mismatch.text;
    return concat(mismatch.text,
                  ": pass a value of the parameter's own type, or use a KernelFunction, which converts its arguments");
}

void throw_if_signature_differs(const unsigned int* types, const ParameterList& parameters, const KernelState& kernel) {
    const Mismatch mismatch = find_mismatch(types, parameters, kernel, true);
    if (mismatch.text.empty()) return;
    throw_misuse("the signature of this KernelFunction differs from the kernel: ", mismatch.text,
                 ": name the types of the kernel's own parameters");
}

void throw_parameters_unavailable(driver::CUkernel kernel) {
    try {
        check(driver::cuKernelGetParamInfo(kernel, 0));
    } catch (const Error& failure) {
        throw Error(failure,
                    "launch_validated() compares the arguments with the kernel's parameters, which this driver does not report: "
                    "use launch(), which compares them only on drivers that do.");
    }
    throw_misuse("the driver does not report the parameters of the kernel");
}

void throw_inaccessible(StreamRef stream, unsigned int position, const Buffer& buffer) {
    throw_misuse("a kernel cannot be launched on device ", stream.device().ordinal(), ": ",
                 describe(concat("argument ", position), memory_view_of(buffer), stream));
}

// ---- launches that the driver refused ------------------------------------------------------------------------------------

namespace {

std::string text_of(const Dim3& dim) {
    return concat("(", dim.x, ", ", dim.y, ", ", dim.z, ")");
}

// Compares without the product of three extents, which may not fit into 64 bits.
bool exceeds(const Dim3& dim, unsigned long long limit) {
    const unsigned long long plane = 1ull * dim.x * dim.y;
    return dim.z != 0 && plane > limit / dim.z;
}

/// A launch that the driver refused. Each check returns a sentence with the value, the limit and what to do, or an empty string
/// if it finds no mistake. The checks throw Error if a query of the driver fails.
class RefusedLaunch {
public:
    RefusedLaunch(ContextRef context, const LaunchConfig& config, const KernelState& kernel)
        : config_(config), kernel_(kernel), context_(context), device_(DeviceTable::get().at(context_.device().ordinal())) {}

    /// Returns a sentence with the kernel and the shape.
    std::string description() const;
    /// Returns the sentence of the first check that finds a mistake.
    std::string mistake() const;

private:
    std::string extents() const;
    std::string threads() const;
    std::string shared_memory() const;
    std::string cluster() const;
    std::string cluster_shape(const Dim3& cluster) const;
    std::string cooperation() const;
    std::string unknown_attribute() const;

    int device_attribute(driver::CUdevice_attribute which) const { return device_.attribute(which); }
    int kernel_attribute(driver::CUfunction_attribute which) const {
        return check(driver::cuKernelGetAttribute(which, kernel_.handle(), device_.handle()));
    }

    const LaunchConfig& config_;
    const KernelState& kernel_;
    ContextRef context_;
    DeviceEntry& device_;
};

std::string RefusedLaunch::description() const {
    std::string text = concat("The launched kernel is ", quoted_name(kernel_), " on device ", device_.ordinal(), ", with grid ",
                              text_of(config_.grid), ", block ", text_of(config_.block));
    if (config_.cluster != Dim3()) text.append(concat(", cluster ", text_of(config_.cluster)));
    if (config_.shared_memory_size != 0) text.append(concat(", ", config_.shared_memory_size, " bytes of dynamic shared memory"));
    return text.append(".");
}

std::string RefusedLaunch::mistake() const {
    for (const auto check : {&RefusedLaunch::extents, &RefusedLaunch::threads, &RefusedLaunch::shared_memory,
                             &RefusedLaunch::cluster, &RefusedLaunch::cooperation, &RefusedLaunch::unknown_attribute}) {
        if (std::string found = (this->*check)(); !found.empty()) return found;
    }
    return {};
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
        const int max_value = device_attribute(limit);
        if (value == 0) return concat(name, " is 0, but it must be at least 1: do not launch if there is nothing to do.");
        if (value > static_cast<unsigned int>(max_value))
            return concat(name, " is ", value, ", but the device's limit is ", max_value, ".");
    }
    return {};
}

std::string RefusedLaunch::threads() const {
    const auto device_limit =
        static_cast<unsigned long long>(device_attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    if (exceeds(config_.block, device_limit)) {
        return concat("The block has ", config_.block.count(), " threads, but the device's limit is ", device_limit, ".");
    }
    const auto kernel_limit = static_cast<unsigned long long>(kernel_attribute(driver::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    if (!exceeds(config_.block, kernel_limit)) return {};
    return concat("The block has ", config_.block.count(), " threads, but the kernel's limit is ", kernel_limit, ": it uses ",
                  kernel_attribute(driver::CU_FUNC_ATTRIBUTE_NUM_REGS),
                  " registers per thread, or was compiled with a bound. Use a smaller "
                  "block, or compile the kernel with __launch_bounds__ or a register limit.");
}

std::string RefusedLaunch::shared_memory() const {
    const int static_size = kernel_attribute(driver::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    const int block_limit = device_attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (static_size > block_limit) {
        return concat("The kernel has ", static_size, " bytes of static shared memory, but the device's limit is ", block_limit,
                      ".");
    }
    const std::size_t size = config_.shared_memory_size;
    if (size > static_cast<std::size_t>(block_limit - static_size)) {
        return concat("The block has ", size, " bytes of dynamic shared memory, but the limit is ", block_limit - static_size,
                      ": a block of this device has at most ", block_limit, ", and the kernel uses ", static_size,
                      " of them as static shared memory.");
    }
    const int kernel_limit = kernel_attribute(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    if (size <= static_cast<std::size_t>(kernel_limit)) return {};
    return concat("The block has ", size, " bytes of dynamic shared memory, but the kernel's limit was set to ", kernel_limit,
                  " (CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES).");
}

std::string RefusedLaunch::cluster() const {
    if (config_.cluster == Dim3()) {
        const bool is_required = kernel_attribute(driver::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) != 0;
        const int width = kernel_attribute(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
        if (is_required && width == 0) return "The kernel requires clusters: set LaunchConfig::cluster.";
        if (width == 0) return {};
        return cluster_shape({width, kernel_attribute(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT),
                              kernel_attribute(driver::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)});
    }
    const int major = device_attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    if (major < 9) {
        return concat("Clusters need compute capability 9.0, but the device has ", major, ".",
                      device_attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), ".");
    }
    return cluster_shape(config_.cluster);
}

std::string RefusedLaunch::cluster_shape(const Dim3& cluster) const {
    const Dim3& grid = config_.grid;
    if (cluster.count() == 0) return concat("The cluster ", text_of(cluster), " is empty: each extent must be at least 1.");
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
        return concat("The grid ", text_of(grid), " is not a multiple of the cluster ", text_of(cluster),
                      ": the grid counts blocks, not clusters.");
    }
    constexpr unsigned long long portable_limit = 8;
    if (!exceeds(cluster, portable_limit)) return {};
    return concat("The cluster has ", cluster.count(), " blocks, but only ", portable_limit,
                  " are possible on every device. If the device allows "
                  "more, set CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED of the kernel.");
}

std::string RefusedLaunch::cooperation() const {
    if (!config_.cooperative) return {};
    if (device_attribute(driver::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0)
        return "The device does not support cooperative launches.";
    const int multiprocessors = device_attribute(driver::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    const ScopedContext scope(context_);
    const int on_each = check(
        driver::cuOccupancyMaxActiveBlocksPerMultiprocessor(reinterpret_cast<driver::CUfunction>(kernel_.handle()),
                                                            static_cast<int>(config_.block.count()), config_.shared_memory_size));
    const unsigned long long max_grid = 1ull * static_cast<unsigned int>(on_each) * static_cast<unsigned int>(multiprocessors);
    if (!exceeds(config_.grid, max_grid)) return {};
    return concat("All blocks of a cooperative launch run at once: the grid ", text_of(config_.grid),
                  " has more than the limit of ", max_grid, " blocks, ", on_each, " on each of ", multiprocessors,
                  " multiprocessors. Let each block do more.");
}

std::string RefusedLaunch::unknown_attribute() const {
    const int driver = check(driver::cuDriverGetVersion());
    const NativeLaunch native(config_, nullptr);
    for (const driver::CUlaunchAttribute& attribute : std::span(native.config().attrs, native.config().numAttrs)) {
        const int needed = first_release_of(attribute.id);
        if (driver >= needed) continue;
        return concat(driver::to_string(attribute.id), " needs a driver of CUDA ", release_text(needed),
                      ", but this driver is of CUDA ", release_text(driver), ".");
    }
    return {};
}

// Returns whether the launch may be the reason of the failure, rather than work that ran before it.
bool is_about_the_launch(driver::CUresult status) {
    switch (status) {
        case driver::CUDA_ERROR_INVALID_VALUE:
        case driver::CUDA_ERROR_INVALID_HANDLE:
        case driver::CUDA_ERROR_INVALID_CLUSTER_SIZE:
        case driver::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
        case driver::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
        case driver::CUDA_ERROR_NOT_SUPPORTED:
            return true;
        default:
            return false;
    }
}

// Returns a description of the launch and its mistake. `if_unknown` replaces a mistake that is not found.
std::string advice_on_launch(ContextRef context, const LaunchConfig& config, const KernelState& kernel,
                             const std::string& if_unknown) {
    const RefusedLaunch launch(context, config, kernel);
    std::string mistake = launch.mistake();
    if (mistake.empty()) mistake = if_unknown;
    return launch.description().append(mistake.empty() ? "" : " ").append(mistake);
}

// Throws the error of the failed call with the text of `advice()`, which is empty if there is none.
template <class Advice>
[[noreturn]] void throw_with_advice_of(Result<driver::CUresult> failed, const Advice& advice) {
    try {
        detail::check_latest(failed);
    } catch (const Error& failure) {
        std::string text;
        try {
            text = advice();
        } catch (const Error&) {
            // the queries for an explanation fail, too
        }
        if (text.empty()) throw;
        throw Error(failure, text);
    }
    throw_misuse("the launch succeeded: there is no failure to report");
}

}  // namespace

void throw_launch_failure(Result<driver::CUresult> launched, StreamRef stream, const LaunchConfig& config,
                          const KernelState& kernel) {
    throw_with_advice_of(launched, [&] {
        std::string on_context = advice_on_context(launched.status, stream);
        if (!on_context.empty() || !is_about_the_launch(launched.status)) return on_context;
        const bool is_handle = launched.status == driver::CUDA_ERROR_INVALID_HANDLE;
        return advice_on_launch(stream.context(), config, kernel,
                                is_handle ? "The stream, the kernel or an event of the launch was destroyed, or they belong to "
                                            "different contexts."
                                          : "");
    });
}

void throw_kernel_node_failure(Result<driver::CUresult> failed, ContextRef context, const LaunchConfig& config,
                               const KernelState& kernel, const std::string& if_unknown) {
    throw_with_advice_of(failed, [&]() -> std::string {
        if (!is_about_the_launch(failed.status)) return {};
        return advice_on_launch(context, config, kernel, if_unknown);
    });
}

}  // namespace CUBIND_NAMESPACE::detail
