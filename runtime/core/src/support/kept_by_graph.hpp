// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>

#include "support/deferred.hpp"

namespace cubind::detail {

/// Lets the graph, and whatever is made from it, own the object; it is destroyed after the last of them and of their runs
/// (cuUserObjectCreate, cuGraphRetainUserObject).
void keep_by_graph(driver::CUgraph graph, std::unique_ptr<Deferred> what);

/// The graph that the stream's work is captured into. The stream is capturing.
driver::CUgraph graph_of_capture(driver::CUstream stream);

}  // namespace cubind::detail
