// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/egl.hpp>
#include <cubind/interop/egl_stream_producer.hpp>

#include "calls/driver.hpp"
#include "egl_connection.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {

namespace {

Result<driver::CUresult> disconnect_producer(unsigned long long handle) {
    auto connection = reinterpret_cast<driver::CUeglStreamConnection>(handle);
    return driver::cuEGLStreamProducerDisconnect(&connection);
}

}  // namespace

EglStreamProducer::EglStreamProducer(Device device, driver::EGLStreamKHR stream, int width, int height)
    : EglStreamProducer(device.context(), stream, width, height) {}

EglStreamProducer::EglStreamProducer(ContextRef context, driver::EGLStreamKHR stream, int width, int height) {
    detail::check_egl_stream(stream, "EglStreamProducer");
    if (width < 1 || height < 1) {
        detail::throw_misuse("EglStreamProducer: frames of ", width, " x ", height,
                             " pixels were requested; both must be at least 1");
    }
    auto state =
        std::make_shared<detail::EglConnection>(context, disconnect_producer, "disconnect the producer of an EGL stream");
    const ScopedContext scope(context);
    const auto connected = driver::cuEGLStreamProducerConnect(stream, width, height);
    if (!connected.ok()) {
        detail::throw_with_advice({connected.status},
                                  "The stream must have a consumer and no producer, and must be of a display of the same "
                                  "GPU.");
    }
    connection_ = detail::EglConnection::own(std::move(state), connected.value);
}

void EglStreamProducer::present(StreamRef stream, const EglFrame& frame) const {
    if (frame.plane_count() == 0) detail::throw_misuse("EglStreamProducer::present(): the frame has no planes");
    auto handle = native_handle();
    const detail::StreamScope scope(stream);
    driver::CUstream native = detail::StreamAccess::handle(stream);
    const auto presented = driver::cuEGLStreamProducerPresentFrame(&handle, frame.native(), &native);
    if (presented.ok()) return;
    detail::throw_with_advice(presented, detail::concat("The frame has ", frame.plane_count(), " planes of ", frame.width(),
                                                        " x ", frame.height(), " pixels, which must be the size of the stream."));
}

std::optional<EglFrame> EglStreamProducer::take_back(StreamRef stream) const {
    auto handle = native_handle();
    const detail::StreamScope scope(stream);
    driver::CUstream native = detail::StreamAccess::handle(stream);
    const auto returned = driver::cuEGLStreamProducerReturnFrame(&handle, &native);
    if (returned.status == driver::CUDA_ERROR_LAUNCH_TIMEOUT) return std::nullopt;
    return EglFrame(detail::check_latest(returned));
}

void EglStreamProducer::close() {
    detail::close_connection(connection_);
}

driver::CUeglStreamConnection EglStreamProducer::native_handle() const {
    return detail::connection_of(connection_, "EglStreamProducer").handle();
}

}  // namespace CUBIND_NAMESPACE
