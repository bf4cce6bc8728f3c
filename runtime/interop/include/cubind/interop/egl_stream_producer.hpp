// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/interop/detail/egl_connection.hpp>
#include <cubind/interop/egl_frame.hpp>

#include <optional>

namespace CUBIND_NAMESPACE {

/// CUDA as the producer of a stream of EGL, which passes images to a consumer such as OpenGL or a video encoder
/// (cuEGLStreamProducerConnect, cuEGLStreamProducerDisconnect). The class owns the connection and not the EGLStreamKHR, which
/// must have a consumer and must outlive it. Only one thread at a time may use it. Movable, not copyable.
///
///     EglStreamProducer producer(device, stream_of_egl, 640, 480);
///     launch(stream, config, kernel, surface, n);
///     producer.present(stream, EglFrame::of_arrays({image}, driver::CU_EGL_COLOR_FORMAT_ABGR));
class [[nodiscard]] CUBIND_EXPORT EglStreamProducer {
public:
    /// Creates an empty object.
    EglStreamProducer() noexcept = default;
    /// Connects the producer for the primary context of the device. All frames have this size in pixels. Throws
    /// std::invalid_argument for a null stream and for a size of 0, and Error if the driver refuses the stream.
    [[nodiscard]] EglStreamProducer(Device device, driver::EGLStreamKHR stream, int width, int height);
    /// Connects the producer for this context, like the other constructor.
    [[nodiscard]] EglStreamProducer(ContextRef context, driver::EGLStreamKHR stream, int width, int height);

    /// Passes a frame to the consumer after the preceding work of the stream (cuEGLStreamProducerPresentFrame). The consumer may
    /// use the planes until take_back() returns the frame, or the producer is closed. Throws Error if the driver refuses the
    /// frame, such as one of another size.
    void present(StreamRef stream, const EglFrame& frame) const;
    /// Returns a presented frame that the consumer has released, if there is one. The latest frame stays in a stream without a
    /// queue until the next one is presented. Work that is submitted to the stream from now
    /// on may write to it (cuEGLStreamProducerReturnFrame). Does not wait.
    [[nodiscard]] std::optional<EglFrame> take_back(StreamRef stream) const;

    /// Disconnects the producer. Throws Error if that fails; the object is empty in either case.
    void close();
    /// Returns whether the object is empty.
    [[nodiscard]] bool is_closed() const noexcept { return connection_ == nullptr; }

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty object.
    [[nodiscard]] driver::CUeglStreamConnection native_handle() const;

private:
    detail::EglConnectionOwner connection_;
};

}  // namespace CUBIND_NAMESPACE
