// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/workspace.hpp"

#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail {

using cubind::detail::StreamAccess;
using cubind::detail::StreamUser;

namespace {

// Memory of other resources than pools does not belong to the graph that uses it, so that the graph retains it.
void retain_for_graph(StreamRef stream, const Buffer& memory, const std::optional<MemoryResource>& resource) {
    if (!resource || resource->base()->is_capturable()) return;
    cubind::detail::Retainer* const retainer = StreamAccess::retainer(stream);
    if (retainer == nullptr) {
        cubind::detail::throw_misuse(
            "a captured call cannot use a workspace of this memory resource, whose allocations are not "
            "captured: capture with a GraphBuilder, or use a pool of the device");
    }
    retainer->retain(cubind::detail::share(memory));
}

}  // namespace

bool is_captured(StreamRef stream) {
    return StreamAccess::may_be_capturing(stream) && stream.is_capturing();
}

StreamRef Workspace::last_stream() const noexcept {
    return last_user_.get() == nullptr ? StreamRef(last_) : StreamAccess::view(last_user_.get());
}

bool Workspace::has_last_ended() const noexcept {
    return last_user_.get() != nullptr && last_user_.get()->has_ended();
}

bool Workspace::is_last_captured() const {
    return last_ != nullptr && !has_last_ended() && is_captured(last_stream());
}

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
    const driver::CUstream handle = StreamAccess::handle(stream);
    if (size > size_ || (handle != last_ && is_last_captured())) {
        buffer_ = allocate(stream, size);  // the previous memory is freed in the order of its stream
        size_ = size;
    } else if (handle != last_) {
        if (!has_last_ended()) stream.wait(last_stream());
        buffer_.set_deallocation_stream(stream);
    }
    if (handle != last_) {
        last_ = handle;
        last_user_ = StreamUser(StreamAccess::state(stream));
    }
    use.data_ = reinterpret_cast<void*>(buffer_.native_handle());
    return use;
}

}  // namespace CUBIND_NAMESPACE::math::detail
