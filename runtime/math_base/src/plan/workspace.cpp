// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/workspace.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>

namespace CUBIND_NAMESPACE::math::detail {

using cubind::detail::StreamAccess;

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
    if (size > size_) {
        buffer_ = allocate(stream, size);  // the previous memory is freed in the order of its stream
        size_ = size;
        order_.begin(stream);
    } else if (order_.follow(stream)) {
        buffer_.set_deallocation_stream(stream);
    }
    use.data_ = reinterpret_cast<void*>(buffer_.native_handle());
    return use;
}

}  // namespace CUBIND_NAMESPACE::math::detail
