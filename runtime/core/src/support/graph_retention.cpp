// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/graph_retention.hpp"

#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void release(void* object) {
    destroy_later(static_cast<Deferred*>(object));  // the driver calls this in a callback, where CUDA must not be called
}

template <class Info>
driver::CUgraph graph_if_active(const Info& info) {
    check(Result<driver::CUresult>{info.status});
    if (info.value1 != driver::CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        throw_with_advice({driver::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED},
                          "Nothing more can be captured: end the capture and start a new one.");
    }
    return info.value3;
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

driver::CUgraph graph_of_capture(driver::CUstream stream) {
    // The newer version of the function also supports captures whose dependencies carry data. Older drivers lack it.
    const auto newer = driver::cuStreamGetCaptureInfo_v3(stream);
    if (newer.status != driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND) return graph_if_active(newer);
    return graph_if_active(driver::cuStreamGetCaptureInfo_v2(stream));
}

}  // namespace CUBIND_NAMESPACE::detail
