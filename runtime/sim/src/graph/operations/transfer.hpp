// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/plan.hpp"

namespace cubind::sim {

/// A copy of a box.
struct CopyOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEMCPY;

    CUresult check() const;
    CUresult plan(Plan& plan) const;
    /// The kinds of memory, and the number of dimensions, stay.
    bool may_become(const CopyOperation& next) const;

    CUDA_MEMCPY3D copy;
    CUcontext context;
};

/// A fill of a row, or of several.
struct FillOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEMSET;

    CUresult check() const;
    CUresult plan(Plan& plan) const;
    /// The number of dimensions stays.
    bool may_become(const FillOperation& next) const noexcept;

    CUDA_MEMSET_NODE_PARAMS_v2 fill;
};

struct Place;
struct Extent;

/// What a copy and a fill of a stream become when it is captured.
CopyOperation copy_operation(const Place& to, const Place& from, const Extent& extent);
FillOperation fill_operation(const Place& to, const Extent& extent, unsigned value, std::size_t size);

}  // namespace cubind::sim
