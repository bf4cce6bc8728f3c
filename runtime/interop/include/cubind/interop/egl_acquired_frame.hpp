// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/interop/egl_frame.hpp>

#include <memory>

namespace CUBIND_NAMESPACE {

namespace detail {
class AcquiredFrame;
}

/// A frame that a consumer of an EGL stream has acquired. It returns to the producer when the object is released or destroyed, in
/// the order of a stream. The object retains the connection and the Stream. Movable, not copyable.
class [[nodiscard]] CUBIND_EXPORT EglAcquiredFrame {
public:
    /// Moves the frame; `other` is empty afterwards.
    EglAcquiredFrame(EglAcquiredFrame&& other) noexcept;
    /// Releases the frame as the destructor does, and moves the other frame into this object.
    EglAcquiredFrame& operator=(EglAcquiredFrame&& other) noexcept;
    EglAcquiredFrame(const EglAcquiredFrame&) = delete;
    EglAcquiredFrame& operator=(const EglAcquiredFrame&) = delete;
    /// Releases the frame after the work of the stream that acquired it. A failure is reported to the cleanup handler.
    ~EglAcquiredFrame();

    /// Returns the pixels, which are valid until the frame is released (cuGraphicsResourceGetMappedEglFrame). Throws
    /// std::invalid_argument for an empty object.
    [[nodiscard]] EglFrame frame() const;
    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty object.
    [[nodiscard]] driver::CUgraphicsResource native_handle() const;

    /// Releases the frame after the work of the stream that acquired it (cuEGLStreamConsumerReleaseFrame). Throws Error if that
    /// fails; the object is empty in either case. Does nothing if the object is empty.
    void release();
    /// Releases the frame after the work of another stream of the same context. Throws std::invalid_argument for an empty stream,
    /// before it releases the frame.
    void release(StreamRef stream);
    /// Returns whether the frame was released.
    [[nodiscard]] bool is_released() const noexcept { return acquired_ == nullptr; }

private:
    friend class EglStreamConsumer;
    explicit EglAcquiredFrame(std::unique_ptr<detail::AcquiredFrame> acquired) noexcept;
    const detail::AcquiredFrame& acquired() const;

    std::unique_ptr<detail::AcquiredFrame> acquired_;
};

}  // namespace CUBIND_NAMESPACE
