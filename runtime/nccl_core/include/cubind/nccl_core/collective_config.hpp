// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/nccl/types.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace CUBIND_NAMESPACE::nccl {

/// Settings of one collective, with the names of ncclCollConfig_t. Those that are not set are of the communicator. A collective
/// with any setting needs NCCL 2.32; an older one throws CommunicationError, which states its release.
struct CollectiveConfig {
    std::optional<int> min_ctas = {};                      ///< least number of blocks of the kernel
    std::optional<int> max_ctas = {};                      ///< greatest number of blocks of the kernel
    std::optional<int> nvls_ctas = {};                     ///< number of blocks of a kernel of NVLink SHARP
    std::optional<int> cga_cluster_size = {};              ///< blocks of a cluster, 0 to 8
    std::string alg_selection = {};                        ///< algorithms and protocols to choose from
    bool force_alg_selection = true;                       ///< whether the collective fails if none of them is possible
    std::optional<int> cta_policy = {};                    ///< NCCL_CTA_POLICY_...
    std::uint64_t user_profiler_tag = 0;                   ///< number that NCCL's plugins for profilers get
    std::optional<EventRef> launch_completion_event = {};  ///< event that is recorded when the kernel was launched
    ncclConfigExt_t* ext = nullptr;                        ///< list of options of a vendor

    /// Returns whether all settings are equal.
    [[nodiscard]] friend bool operator==(const CollectiveConfig&, const CollectiveConfig&) = default;
};

}  // namespace CUBIND_NAMESPACE::nccl
