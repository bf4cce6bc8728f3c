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
    if (newer.status != driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND) {
        check(Result<driver::CUresult>{newer.status});
        return newer.value3;
    }
    const auto older = driver::cuStreamGetCaptureInfo_v2(stream);
    check(Result<driver::CUresult>{older.status});
    return older.value3;
}

}  // namespace cubind::detail
