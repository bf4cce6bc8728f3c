// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl/types.hpp>
#include <cubind/nccl_core/collective_config.hpp>
#include <cubind/nccl_core/communicator_config.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::nccl::detail {

template <class Value>
void set(int& field, const std::optional<Value>& value) {
    if (value) field = static_cast<int>(*value);
}
inline void set_text(const char*& field, const std::string& text, const char* name) {
    cubind::detail::check_no_nul(name, text);
    if (!text.empty()) field = text.c_str();
}

/// Returns NCCL's struct, which points to texts of `config`.
inline ncclConfig_t native(const CommunicatorConfig& config) {
    ncclConfig_t made;
    set(made.blocking, config.blocking);
    set(made.cgaClusterSize, config.cga_cluster_size);
    set(made.minCTAs, config.min_ctas);
    set(made.maxCTAs, config.max_ctas);
    set_text(made.netName, config.net_name, "CommunicatorConfig::net_name");
    set(made.splitShare, config.split_share);
    set(made.trafficClass, config.traffic_class);
    set_text(made.commName, config.comm_name, "CommunicatorConfig::comm_name");
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
    set(made.numRmaSig, config.num_rma_sig);
    set(made.rmaEagerInit, config.rma_eager_init);
    set(made.hostCftMode, config.host_cft_mode);
    set(made.nvlsHostMode, config.nvls_host_mode);
    return made;
}

inline ncclCollConfig_t native(const CollectiveConfig& config) {
    ncclCollConfig_t made;
    made.ext = config.ext;
    set(made.minCTAs, config.min_ctas);
    set(made.maxCTAs, config.max_ctas);
    set(made.nvlsCTAs, config.nvls_ctas);
    set(made.cgaClusterSize, config.cga_cluster_size);
    set_text(made.algSelection, config.alg_selection, "CollectiveConfig::alg_selection");
    made.forceAlgSelection = config.force_alg_selection ? 1 : 0;
    set(made.CTAPolicy, config.cta_policy);
    made.userProfilerTag = config.user_profiler_tag;
    if (config.launch_completion_event) made.launchCompletionEvent = config.launch_completion_event->native_handle();
    return made;
}

}  // namespace CUBIND_NAMESPACE::nccl::detail
