// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cooperative_groups.h

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sum(const int* in, int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int total = cg::reduce(warp, in[threadIdx.x], cg::plus<int>());
    if (warp.thread_rank() == 0) *out = total;
}
__global__ void __cluster_dims__(2, 1, 1) meet(int* out) {
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    *out = cluster.num_threads();
}
