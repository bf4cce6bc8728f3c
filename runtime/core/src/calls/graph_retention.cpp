// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "calls/graph_retention.hpp"

#include <cubind/driver/graph.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/stream.hpp>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void release(void* object) {
    destroy_later(static_cast<Deferred*>(object));  // the driver calls this in a callback, where CUDA must not be called
}

void check_active(driver::CUresult status, driver::CUstreamCaptureStatus capture) {
    check(Result<driver::CUresult>{status});
    if (capture != driver::CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        throw_with_advice({driver::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED},
                          "Nothing more can be captured: end the capture and start a new one.");
    }
}

}  // namespace

void retain_in_graph(driver::CUgraph graph, std::unique_ptr<Deferred> object) {
    const driver::CUuserObject user_object =
        check(driver::cuUserObjectCreate(object.get(), release, 1, driver::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    (void)object.release();  // the driver owns it from here on
    const auto retained = driver::cuGraphRetainUserObject(graph, user_object, 1, driver::CU_GRAPH_USER_OBJECT_MOVE);
    if (!retained.ok()) (void)driver::cuUserObjectRelease(user_object, 1);
    detail::check_latest(retained);
    destroy_ready_objects();
}

CapturePosition position_of_capture(driver::CUstream stream) {
    // The newer version of the function also supports captures whose dependencies carry data. Older drivers lack it.
    const auto newer = driver::cuStreamGetCaptureInfo_v3(stream);
    if (!is_missing(newer)) {
        const auto [status, capture, id, graph, nodes, edges, count] = newer;
        check_active(status, capture);
        return {graph, nodes, edges, count};
    }
    const auto [status, capture, id, graph, nodes, count] = driver::cuStreamGetCaptureInfo_v2(stream);
    check_active(status, capture);
    return {graph, nodes, nullptr, count};
}

void continue_after(driver::CUstream stream, driver::CUgraphNode node) {
    constexpr unsigned int flags = driver::CU_STREAM_SET_CAPTURE_DEPENDENCIES;
    const auto continued = driver::has(driver::cuStreamUpdateCaptureDependencies_v2)  // since CUDA 12.3
                               ? driver::cuStreamUpdateCaptureDependencies_v2(stream, &node, nullptr, 1, flags)
                               : driver::cuStreamUpdateCaptureDependencies_v1(stream, &node, 1, flags);
    try {
        check_latest(continued);
    } catch (...) {
        (void)driver::cuGraphDestroyNode(node);
        throw;
    }
}

}  // namespace CUBIND_NAMESPACE::detail
