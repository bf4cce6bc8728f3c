// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/workspace.hpp"

#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail {

namespace {

// Memory of other resources than pools does not belong to the graph that uses it, so that the graph retains it.
void retain_for_graph(StreamRef stream, const Buffer& memory, const std::optional<MemoryResource>& resource) {
    if (!resource || resource->base()->is_capturable()) return;
    cubind::detail::Retainer* const retainer = cubind::detail::StreamAccess::retainer(stream);
    if (retainer == nullptr) {
        cubind::detail::throw_misuse(
            "a captured call cannot use a workspace of this memory resource, whose allocations are not "
            "captured: capture with a GraphBuilder, or use a pool of the device");
    }
    retainer->retain(cubind::detail::share(memory));
}

}  // namespace

Buffer Workspace::allocate(StreamRef stream, std::size_t size) const {
    return resource_ ? resource_->allocate(stream, size) : device_.allocate(stream, size);
}

Workspace::Use Workspace::use(StreamRef stream, std::size_t size) {
    Use use;
    if (size == 0) return use;
    if (is_captured(stream)) {
        use.captured_ = allocate(stream, size);
        retain_for_graph(stream, use.captured_, resource_);
        use.data_ = reinterpret_cast<void*>(use.captured_.native_handle());
        return use;
    }
    if (order_.is_latest_captured(stream)) renew(stream, size);
    use.data_ = acquire("Workspace", stream, size);
    return use;
}

void* Workspace::keep(const char* operation, StreamRef stream, std::size_t size) {
    return is_captured(stream) ? reinterpret_cast<void*>(buffer_.native_handle()) : acquire(operation, stream, size);
}

void* Workspace::acquire(const char* operation, StreamRef stream, std::size_t size) {
    if (size > size_) {
        renew(stream, size);
    } else if (order_.follow(operation, stream)) {
        buffer_.set_deallocation_stream(stream);
    }
    return reinterpret_cast<void*>(buffer_.native_handle());
}

void Workspace::renew(StreamRef stream, std::size_t size) {
    buffer_ = allocate(stream, size);  // the previous memory is freed in the order of its stream
    size_ = size;
    order_.begin(stream);
}

}  // namespace CUBIND_NAMESPACE::math::detail
