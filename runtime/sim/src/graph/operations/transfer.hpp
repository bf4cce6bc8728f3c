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
    /// Returns whether an executable graph can replace this operation by `next`: the memory types of both ends and the number of
    /// dimensions must be the same.
    bool can_update_to(const CopyOperation& next) const;

    CUDA_MEMCPY3D copy;
    CUcontext context;
};

/// A fill of one or several rows.
struct FillOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEMSET;

    CUresult check() const;
    CUresult plan(Plan& plan) const;
    /// Returns whether an executable graph can replace this operation by `next`: the number of dimensions must be the same.
    bool can_update_to(const FillOperation& next) const noexcept;

    CUDA_MEMSET_NODE_PARAMS_v2 fill;
};

struct Place;
struct BoxExtent;

/// Returns the operation of a captured copy.
CopyOperation copy_operation(const Place& to, const Place& from, const BoxExtent& extent);
/// Returns the operation of a captured fill.
FillOperation fill_operation(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size);

}  // namespace CUBIND_NAMESPACE::sim
