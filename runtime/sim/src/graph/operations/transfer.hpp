// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A copy of a box.
struct CopyOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEMCPY;

    CUresult check() const;
    CUresult plan(Plan& plan) const;
    /// The memory types of both ends and the number of dimensions must not change.
    bool can_update_to(const CopyOperation& next) const;

    CUDA_MEMCPY3D copy;
    CUcontext context;
};

/// A fill of one or several rows.
struct FillOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEMSET;

    CUresult check() const;
    CUresult plan(Plan& plan) const;
    /// The number of dimensions must not change.
    bool can_update_to(const FillOperation& next) const noexcept;

    CUDA_MEMSET_NODE_PARAMS_v2 fill;
};

struct Place;
struct BoxExtent;

/// Return the operations of captured copies and fills.
CopyOperation copy_operation(const Place& to, const Place& from, const BoxExtent& extent);
FillOperation fill_operation(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size);

}  // namespace CUBIND_NAMESPACE::sim
