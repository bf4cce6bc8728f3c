// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <thread>
#include <vector>

#include "graph/graph_store.hpp"
#include "objects/context/context.hpp"
#include "objects/stream/stream.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The dependencies of the next node that is captured from a stream. They are handles, because nodes can be destroyed
/// in the meantime.
struct CaptureTail {
    std::vector<driver::CUgraphNode> nodes;
    std::vector<driver::CUgraphEdgeData> edges;

    /// Adds a dependency, unless the node is a dependency already.
    void add(driver::CUgraphNode node, const driver::CUgraphEdgeData& edge);
    /// Adds all dependencies of another tail.
    void add(const CaptureTail& other);
};

/// Streams whose work becomes nodes of a graph, from the begin to the end of the capture. Guarded by the lock of
/// graphs.
struct Capture {
    struct Member {
        std::shared_ptr<Stream> stream;
        CaptureTail tail;
    };

    const driver::cuuint64_t id;
    const driver::CUstreamCaptureMode mode;
    const std::thread::id thread;
    const Stream* const origin;
    const std::shared_ptr<Graph> graph;
    bool is_invalid = false;
    std::map<const Stream*, Member> members;
};

/// The position in a capture at which an event was recorded.
struct CaptureMark {
    std::weak_ptr<Capture> capture;
    CaptureTail tail;
};

// The caller of the following functions holds the lock of graphs.

/// Begins a capture of the stream. `graph` is null if the capture creates the graph.
driver::CUresult begin(GraphStore& store, const std::shared_ptr<Stream>& stream, driver::CUstreamCaptureMode mode,
                       const std::shared_ptr<Graph>& graph, CaptureTail tail);
/// Returns the reason why the capture cannot end successfully, or CUDA_SUCCESS.
driver::CUresult end_status(const GraphStore& store, const Capture& capture);

/// Adds a stream to the capture. From now on its work becomes nodes.
void attach(GraphStore& store, Capture& capture, const std::shared_ptr<Stream>& stream, CaptureTail tail);
/// Removes all streams from the capture. From now on they perform their work again.
void detach_all(GraphStore& store, Capture& capture);
/// Makes the capture invalid. Ending it then returns an error.
inline void invalidate(Capture& capture) {
    capture.is_invalid = true;
}
/// Ends the capture, so that its streams perform their work again. If the capture failed, removes its graph, even if
/// the program created it.
void end(GraphStore& store, const std::shared_ptr<Capture>& capture, bool has_succeeded);
/// Returns the capture that the stream is part of, or null.
std::shared_ptr<Capture> capture_of(const GraphStore& store, const Stream& stream);

/// Adds an operation as a node. If the stream would have to wait for captured streams, invalidates their captures and
/// returns CUDA_ERROR_STREAM_CAPTURE_IMPLICIT.
driver::CUresult capture_locked(GraphStore& store, const std::shared_ptr<Stream>& stream, Operation operation);

// The following functions acquire the lock of graphs.

/// Ends all captures that include a stream of the context, which is being destroyed.
void end_captures(GraphStore& store, Context& context);
/// Ends the capture that began on the stream, which is being destroyed, if there is one.
void end_capture_of(GraphStore& store, const Stream& stream);

/// Adds an operation as a node, as capture_locked() does.
driver::CUresult capture(GraphStore& store, const std::shared_ptr<Stream>& stream, Operation operation);
/// Invalidates the capture and returns the status of a call that cannot be captured.
driver::CUresult refuse_capture(GraphStore& store, const std::shared_ptr<Stream>& stream);
/// Captures an allocation that each launch will perform. Writes its address.
driver::CUresult capture_allocation(GraphStore& store, const Devices& devices, const std::shared_ptr<Stream>& stream,
                                    const Device& device, std::size_t bytes, driver::CUdeviceptr& address);
/// Captures the free of memory that an allocation node allocates.
driver::CUresult capture_free(GraphStore& store, const std::shared_ptr<Stream>& stream, driver::CUdeviceptr address);
/// Captures the record of an event: as a node if `flags` is CU_EVENT_RECORD_EXTERNAL, otherwise as a position in the
/// capture.
driver::CUresult capture_record(GraphStore& store, const std::shared_ptr<Stream>& stream, const std::shared_ptr<Event>& event,
                                unsigned flags);
/// Captures a wait for an event. Also handles streams that are not captured, if the event was recorded in a capture.
driver::CUresult capture_wait(GraphStore& store, const std::shared_ptr<Stream>& stream, const std::shared_ptr<Event>& event,
                              unsigned flags);
/// Returns the status of a wait for, or a query of, an event that was last recorded in a capture. A wait invalidates
/// the capture; reading the time does not.
driver::CUresult refuse_captured_event(GraphStore& store, const Event& event, bool is_wait);

}  // namespace CUBIND_NAMESPACE::sim
