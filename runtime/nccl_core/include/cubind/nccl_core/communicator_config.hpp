// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl/types.hpp>

#include <optional>
#include <string>

namespace CUBIND_NAMESPACE::nccl {

/// Settings of a communicator, with the names of ncclConfig_t. NCCL chooses those that are not set; a communicator that is made
/// of another one inherits them. An older NCCL ignores settings that it does not know.
struct CommunicatorConfig {
    /// Whether calls wait until they have taken effect, which is NCCL's default. If false, they return at once: call
    /// Communicator::wait_until_ready() after the creation, and after each call or group, before the next one.
    std::optional<bool> blocking = {};
    std::optional<int> cga_cluster_size = {};         ///< blocks of a cluster, 0 to 8
    std::optional<int> min_ctas = {};                 ///< least number of blocks of a kernel
    std::optional<int> max_ctas = {};                 ///< greatest number of blocks of a kernel
    std::string net_name = {};                        ///< network module, such as "IB"
    std::optional<int> split_share = {};              ///< 1: split communicators share resources of their parent
    std::optional<int> traffic_class = {};            ///< traffic class of the network
    std::string comm_name = {};                       ///< name in logs and profiles
    std::optional<int> collnet_enable = {};           ///< 1: collectives in the network
    std::optional<int> cta_policy = {};               ///< NCCL_CTA_POLICY_...
    std::optional<int> shrink_share = {};             ///< 1: shrunk communicators share resources of their parent
    std::optional<int> nvls_ctas = {};                ///< number of blocks of kernels of NVLink SHARP
    std::optional<int> n_channels_per_net_peer = {};  ///< channels for a peer across the network
    std::optional<int> nvlink_centric_sched = {};     ///< 1: prefers NVLink
    std::optional<int> graph_usage_mode = {};         ///< how the communicator mixes captured and other work
    std::optional<int> num_rma_ctx = {};              ///< contexts of one-sided operations
    std::optional<int> max_p2p_peers = {};            ///< peers with which a rank exchanges messages at once
    std::optional<int> graph_stream_ordering = {};    ///< whether captured operations are ordered with those of other streams
    std::optional<int> launch_order_implicit = {};    ///< 1: operations of several communicators run in the order of the calls
    std::optional<int> num_rma_sig = {};              ///< signals of one-sided operations
    std::optional<int> rma_eager_init = {};           ///< 1: prepares one-sided operations at the creation
    std::optional<ncclHostCftMode_t> host_cft_mode = {};    ///< whether collectives use a fabric of counted transfers
    std::optional<ncclNvlsHostMode_t> nvls_host_mode = {};  ///< whether collectives use NVLink SHARP
};

}  // namespace CUBIND_NAMESPACE::nccl
