// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <thread>
#include <vector>

#include "graph/graph.hpp"
#include "stream/stream_check.hpp"

namespace cubind::sim {

/// What the next node captured from a stream waits for. Handles, since nodes can be destroyed meanwhile.
struct CaptureTail {
    std::vector<CUgraphNode> nodes;
    std::vector<CUgraphEdgeData> edges;

    /// Keeps each node once.
    void add(CUgraphNode node, const CUgraphEdgeData& edge);
    void add(const CaptureTail& other);
};

/// Streams whose work becomes nodes of a graph, from begin to end. Guarded by the lock of graphs.
struct Capture {
    struct Member {
        std::shared_ptr<Stream> stream;
        CaptureTail tail;
    };

    const cuuint64_t id;
    const CUstreamCaptureMode mode;
    const std::thread::id thread;
    const Stream* const origin;
    const std::shared_ptr<Graph> graph;
    bool is_invalid = false;
    std::map<const Stream*, Member> members;
};

/// An event's mark within a capture.
struct CapturedMark {
    std::weak_ptr<Capture> capture;
    CaptureTail tail;
};

// The following expect the lock of graphs to be held.

/// Work of the stream becomes nodes, from here on.
void attach(Capture& capture, const std::shared_ptr<Stream>& stream, CaptureTail tail);
/// Streams of the capture do their work again.
void detach_all(Capture& capture);
/// Nothing comes of the capture any more but an error at its end.
inline void invalidate(Capture& capture) {
    capture.is_invalid = true;
}
/// Its streams do their work again; its graph is gone if it failed, whoever made it.
void end(const std::shared_ptr<Capture>& capture, bool is_good);
/// The capture that the stream is in; null if it is in none.
std::shared_ptr<Capture> capture_of(const Stream& stream);

/// Makes an operation a node. CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, and no capture valid any more, where it would have to wait for
/// captured streams.
CUresult capture_locked(const StreamCheck& stream, Operation operation);

// And these take it.

/// Ends what is captured from streams of the context, which ends itself.
void end_captures(Context& context);
/// The same for a stream that is destroyed, if the capture began with it.
void end_capture_of(const Stream& stream);

CUresult capture(const StreamCheck& stream, Operation operation);
/// What a call says that cannot be captured.
CUresult refuse_capture(const StreamCheck& stream);
/// Memory that every launch will allocate, and its end.
CUresult capture_allocation(const StreamCheck& stream, Device& device, std::size_t bytes, CUdeviceptr& address);
CUresult capture_free(const StreamCheck& stream, CUdeviceptr address);
CUresult capture_record(const StreamCheck& stream, const std::shared_ptr<Event>& event, unsigned flags);
/// Also for streams that are not captured, if the event is.
CUresult capture_wait(const StreamCheck& stream, const std::shared_ptr<Event>& event, unsigned flags);
/// What waiting for an event says that was last recorded in a capture. It disturbs that one, but for a mere look at the time.
CUresult refuse_captured_event(const Event& event, bool is_wait);

}  // namespace cubind::sim
