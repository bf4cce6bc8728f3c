// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <simulation/functions.hpp>

#include "machine/graph_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr unsigned max_references = std::numeric_limits<int>::max();

bool is_valid_count(unsigned count) noexcept {
    return count != 0 && count <= max_references;
}

/// A user object, found by its handle, and the lock of graphs.
struct UserObjectCheck : GraphsCheck {
    explicit UserObjectCheck(CUuserObject handle) {
        if (failed()) return;
        object = store().user_objects.find(handle);
        if (object != nullptr && object->is_alive()) return;
        if (object != nullptr) store().user_objects.remove(handle);
        status = CUDA_ERROR_INVALID_VALUE;
    }
    std::shared_ptr<UserObject> object;
};

}  // namespace

extern "C" {

CUresult sim_cuUserObjectCreate(CUuserObject* object_out, void* ptr, CUhostFn destroy, unsigned int initialRefcount,
                                unsigned int flags) {
    const Valid<GraphsCheck> check;
    const bool is_valid = destroy != nullptr && initialRefcount != 0 && flags == CU_USER_OBJECT_NO_DESTRUCTOR_SYNC;
    if (object_out == nullptr || !is_valid) return CUDA_ERROR_INVALID_VALUE;
    GraphStore& store = check.store();
    // Handles of objects whose last reference a graph released are still registered but no longer valid.
    store.user_objects.remove_if([](const UserObject& object) { return !object.is_alive(); });
    return write_output(object_out, add_new(store.user_objects, destroy, ptr, initialRefcount, store.destructors)->handle);
}

CUresult sim_cuUserObjectRetain(CUuserObject object, unsigned int count) {
    const Valid<UserObjectCheck> check(object);
    if (!is_valid_count(count)) return CUDA_ERROR_INVALID_VALUE;
    check.object->retain(count);
    return CUDA_SUCCESS;
}

CUresult sim_cuUserObjectRelease(CUuserObject object, unsigned int count) {
    const Valid<UserObjectCheck> check(object);
    return is_valid_count(count) && check.object->release(count) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
    std::shared_ptr<UserObject> found;
    {
        const Valid<UserObjectCheck> check(object);
        found = check.object;
    }
    const Valid<GraphCheck> check(graph);
    if (!is_valid_count(count) || (flags & ~unsigned{CU_GRAPH_USER_OBJECT_MOVE}) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (flags == 0) found->retain(count);  // otherwise the caller's references are moved to the graph
    check->user_objects->try_emplace(object, found, 0).first->second.add(count);
    return CUDA_SUCCESS;
}

CUresult sim_cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
    const Valid<GraphCheck> check(graph);
    const auto found = check->user_objects->find(object);
    if (found == check->user_objects->end() || !found->second.release(count)) return CUDA_ERROR_INVALID_VALUE;
    if (found->second.is_empty()) check->user_objects->erase(found);
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
