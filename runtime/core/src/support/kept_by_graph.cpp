// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/kept_by_graph.hpp"

#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include "support/driver.hpp"

namespace cubind::detail {
namespace {

void release(void* what) {
    destroy_later(static_cast<Deferred*>(what));  // the driver calls this where CUDA must not be called
}

template <class Info>
driver::CUgraph graph_if_active(const Info& info) {
    check(Result<driver::CUresult>{info.status});
    if (info.value1 != driver::CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        throw_with_advice({driver::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED}, "Nothing can be captured any more: end the capture and begin anew.");
    }
    return info.value3;
}

}  // namespace

void keep_by_graph(driver::CUgraph graph, std::unique_ptr<Deferred> what) {
    prepare_to_defer();
    const driver::CUuserObject object =
        check(driver::cuUserObjectCreate(what.get(), release, 1, driver::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    what.release();  // the driver's from here on
    const auto retained = driver::cuGraphRetainUserObject(graph, object, 1, driver::CU_GRAPH_USER_OBJECT_MOVE);
    if (!retained.ok()) (void)driver::cuUserObjectRelease(object, 1);
    check(retained);
}

driver::CUgraph graph_of_capture(driver::CUstream stream) {
    // The newer form, where there is one, also knows captures whose dependencies carry data.
    const auto newer = driver::cuStreamGetCaptureInfo_v3(stream);
    if (newer.status != driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND) return graph_if_active(newer);
    return graph_if_active(driver::cuStreamGetCaptureInfo_v2(stream));
}

}  // namespace cubind::detail
