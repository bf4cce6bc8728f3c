// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/workspace.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>

namespace CUBIND_NAMESPACE::math::detail {

using cubind::detail::StreamAccess;
using cubind::detail::StreamUser;

bool is_captured(StreamRef stream) {
    return StreamAccess::may_be_capturing(stream) && stream.is_capturing();
}

Buffer Workspace::allocate(StreamRef stream, std::size_t size) const {
    return resource_ ? resource_->allocate(stream, size) : device_.allocate(stream, size);
}

Workspace::Use Workspace::use(StreamRef stream, std::size_t size) {
    Use use;
    if (size == 0) return use;
    if (is_captured(stream)) {
        use.captured_ = allocate(stream, size);
        use.data_ = reinterpret_cast<void*>(use.captured_.native_handle());
        return use;
    }
    use.data_ = acquire(stream, size);
    return use;
}

void* Workspace::keep(StreamRef stream, std::size_t size) {
    if (is_captured(stream)) return reinterpret_cast<void*>(buffer_.native_handle());
    return acquire(stream, size);
}

void* Workspace::acquire(StreamRef stream, std::size_t size) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    if (size > size_) {
        buffer_ = allocate(stream, size);  // the previous memory is freed in the order of its stream
        size_ = size;
    } else if (handle != last_) {
        const auto* const owned = last_user_.get();
        if (owned == nullptr || !owned->has_ended())
            stream.wait(owned == nullptr ? StreamRef(last_) : StreamAccess::view(last_user_.get()));
        buffer_.set_deallocation_stream(stream);
    }
    if (handle != last_) {
        last_ = handle;
        last_user_ = StreamUser(StreamAccess::state(stream));
    }
    return reinterpret_cast<void*>(buffer_.native_handle());
}

}  // namespace CUBIND_NAMESPACE::math::detail
