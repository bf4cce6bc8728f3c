// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl/types.hpp>
#include <cubind/nccl_core/communicator_config.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::nccl::detail {

/// Returns NCCL's struct, which points to texts of `config`.
inline ncclConfig_t native(const CommunicatorConfig& config) {
    ncclConfig_t made;
    const auto set = [](int& field, const auto& value) {
        if (value) field = static_cast<int>(*value);
    };
    const auto set_text = [](const char*& field, const std::string& text, const char* name) {
        if (text.find('\0') != text.npos) cubind::detail::throw_misuse("CommunicatorConfig::", name, " contains a NUL");
        if (!text.empty()) field = text.c_str();
    };
    set(made.blocking, config.blocking);
    set(made.cgaClusterSize, config.cga_cluster_size);
    set(made.minCTAs, config.min_ctas);
    set(made.maxCTAs, config.max_ctas);
    set_text(made.netName, config.net_name, "net_name");
    set(made.splitShare, config.split_share);
    set(made.trafficClass, config.traffic_class);
    set_text(made.commName, config.comm_name, "comm_name");
    set(made.collnetEnable, config.collnet_enable);
    set(made.CTAPolicy, config.cta_policy);
    set(made.shrinkShare, config.shrink_share);
    set(made.nvlsCTAs, config.nvls_ctas);
    set(made.nChannelsPerNetPeer, config.n_channels_per_net_peer);
    set(made.nvlinkCentricSched, config.nvlink_centric_sched);
    set(made.graphUsageMode, config.graph_usage_mode);
    set(made.numRmaCtx, config.num_rma_ctx);
    set(made.maxP2pPeers, config.max_p2p_peers);
    set(made.graphStreamOrdering, config.graph_stream_ordering);
    set(made.launchOrderImplicit, config.launch_order_implicit);
    return made;
}

}  // namespace CUBIND_NAMESPACE::nccl::detail
