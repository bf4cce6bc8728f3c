// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/kernels/triton_function.hpp>

#include <bit>
#include <limits>
#include <string>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

constexpr std::string_view advice = "; take the JSON file that Triton wrote together with this code";

void check_scratch(const std::string& name, const std::optional<TritonScratch>& scratch) {
    if (scratch && !std::has_single_bit(scratch->alignment))
        throw_misuse("the metadata of the Triton kernel ", name, " state an alignment of scratch memory of ", scratch->alignment,
                     " bytes, which is no power of two", advice);
}

void check_numbers(const TritonMetadata& metadata) {
    const auto check = [&](const char* member, int value) {
        if (value < 1 || value > 1024)
            throw_misuse("the metadata of the Triton kernel ", metadata.name, " state ", member, " = ", value,
                         ", which is not from 1 to 1024", advice);
    };
    check("num_warps", metadata.num_warps);
    check("warp_size", metadata.warp_size);
    check("num_ctas", metadata.num_ctas);
    check_scratch(metadata.name, metadata.global_scratch);
    check_scratch(metadata.name, metadata.profile_scratch);
}

/// Compares the metadata with what the driver reports about the kernel.
void check_kernel(const TritonMetadata& metadata, const KernelAttributes& attributes) {
    const int threads = metadata.num_warps * metadata.warp_size;
    if (const int limit = attributes.max_threads_per_block(); threads > limit)
        throw_misuse("the metadata of the Triton kernel ", metadata.name, " state ", metadata.num_warps, " warps of ",
                     metadata.warp_size, " threads, but a block of the kernel has at most ", limit, " threads", advice);
    if (const int width = attributes.required_cluster_width(); width > 0 && width != metadata.num_ctas)
        throw_misuse("the metadata of the Triton kernel ", metadata.name, " state num_ctas = ", metadata.num_ctas,
                     ", but the code is for clusters of ", width, " blocks", advice);
    const auto limit = static_cast<std::size_t>(attributes.device().properties().max_shared_memory_per_block_optin());
    if (metadata.shared + attributes.shared_size_bytes() > limit)
        throw_misuse("the Triton kernel ", metadata.name, " needs ", metadata.shared,
                     " bytes of shared memory, but a block has at most ", limit, " on ", attributes.device().name(),
                     "; compile it with fewer stages or smaller blocks, or for this device");
}

}  // namespace

void throw_invalid_metadata(std::string_view place, std::string_view what, std::string_view member) {
    throw_misuse("the metadata of Triton in ", place, " ", what, member.empty() ? "" : " \"", member, member.empty() ? "" : "\"",
                 "; they are in the file NAME.json that Triton writes beside NAME.cubin");
}

TritonKernel::TritonKernel(const ObjectCode& code, const TritonMetadata& metadata, const Device& device)
    : kernel_(code.kernel(metadata.name)),
      config_{.shared_memory_size = metadata.shared,
              .cooperative = metadata.launch_cooperative_grid,
              .programmatic_stream_serialization = metadata.launch_pdl},
      global_(metadata.global_scratch),
      profile_(metadata.profile_scratch) {
    check_numbers(metadata);
    check_kernel(metadata, kernel_.attributes(device));
    config_.block = metadata.num_warps * metadata.warp_size;
    blocks_ = static_cast<unsigned int>(metadata.num_ctas);
    if (blocks_ == 1) return;
    config_.cluster = blocks_;
    config_.cluster_scheduling_policy_preference = driver::CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
}

LaunchConfig TritonKernel::config(Dim3 programs) const {
    if (programs.x > std::numeric_limits<unsigned int>::max() / blocks_)
        throw_misuse("the grid of the Triton kernel ", kernel_.name(), " has ", programs.x, " programs of ", blocks_,
                     " blocks in x, which are more than 4294967295 blocks");
    LaunchConfig config = config_;
    config.grid = Dim3(programs.x * blocks_, programs.y, programs.z);
    return config;
}

Buffer TritonKernel::scratch(StreamRef stream, Dim3 programs, const std::optional<TritonScratch>& size) const {
    const unsigned long long blocks = programs.count() * blocks_;
    const std::size_t limit = std::numeric_limits<std::size_t>::max();
    if (size->size > 0 && blocks > limit / size->size)
        throw_misuse("the Triton kernel ", kernel_.name(), " needs ", size->size, " bytes of scratch memory for each of ", blocks,
                     " blocks, which is more than memory can have");
    return stream.device().allocate(stream, size->size * blocks, size->alignment);
}

}  // namespace CUBIND_NAMESPACE::detail
