// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <utility>

#include "lifetime/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {

/// A reference to retained objects that the driver owns.
class DriverReference final : public Deferred {
public:
    explicit DriverReference(std::shared_ptr<const void> objects) noexcept : objects_(std::move(objects)) {}

private:
    std::shared_ptr<const void> objects_;
};

/// Transfers ownership of the object to the graph and all graphs created from it. The object is destroyed after the last of
/// these graphs was destroyed and their launches have completed (cuUserObjectCreate, cuGraphRetainUserObject).
void retain_in_graph(driver::CUgraph graph, std::unique_ptr<Deferred> object);

/// The graph that a stream is capturing into, and the nodes that the next captured node depends on.
struct CapturePosition {
    driver::CUgraph graph;
    const driver::CUgraphNode* nodes;      ///< the driver's list, valid until the next call for the capture
    const driver::CUgraphEdgeData* edges;  ///< nullptr for ordinary edges
    std::size_t count;
};

/// Returns the position of the stream's capture. Throws Error if the capture is invalid (cuStreamGetCaptureInfo).
[[nodiscard]] CapturePosition position_of_capture(driver::CUstream stream);

/// Makes work that the stream captures from now on depend on the node only. If that fails, removes the node and throws Error
/// (cuStreamUpdateCaptureDependencies).
void continue_after(driver::CUstream stream, driver::CUgraphNode node);

}  // namespace CUBIND_NAMESPACE::detail
