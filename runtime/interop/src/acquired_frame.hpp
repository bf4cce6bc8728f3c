// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <memory>

#include "egl_connection.hpp"

namespace CUBIND_NAMESPACE::detail {

/// A frame that a consumer has acquired, and the stream in whose order it is released. Does not release it.
class AcquiredFrame {
public:
    /// Creates an object without a frame.
    AcquiredFrame(const EglConnection& connection, StreamRef stream)
        : connection_(connection), retained_(connection.share()), stream_(stream), user_(StreamAccess::state(stream)) {}

    void set_resource(driver::CUgraphicsResource resource) noexcept { resource_ = resource; }

    driver::CUgraphicsResource resource() const noexcept { return resource_; }
    StreamRef stream() const noexcept { return stream_; }
    void release(StreamRef stream);

private:
    const EglConnection& connection_;
    std::shared_ptr<const void> retained_;  // the connection
    driver::CUgraphicsResource resource_ = nullptr;
    StreamRef stream_;
    StreamUser user_;
};

}  // namespace CUBIND_NAMESPACE::detail
