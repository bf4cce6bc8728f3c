// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/egl.hpp>
#include <cubind/interop/egl_acquired_frame.hpp>

#include <utility>

#include "acquired_frame.hpp"
#include "calls/driver.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {

void detail::AcquiredFrame::release(StreamRef stream) {
    // The driver has disconnected the consumer of a context that has ended, and must not get its handle.
    if (connection_.has_context_ended()) return;
    const StreamScope scope(stream);
    driver::CUeglStreamConnection handle = connection_.handle();
    driver::CUstream native = StreamAccess::handle(stream);
    check(driver::cuEGLStreamConsumerReleaseFrame(&handle, resource_, &native));
}

EglAcquiredFrame::EglAcquiredFrame(std::unique_ptr<detail::AcquiredFrame> acquired) noexcept : acquired_(std::move(acquired)) {}

EglAcquiredFrame::EglAcquiredFrame(EglAcquiredFrame&& other) noexcept = default;

EglAcquiredFrame& EglAcquiredFrame::operator=(EglAcquiredFrame&& other) noexcept {
    EglAcquiredFrame moved(std::move(other));
    std::swap(acquired_, moved.acquired_);
    return *this;
}

EglAcquiredFrame::~EglAcquiredFrame() {
    try {
        release();
    } catch (...) {
        detail::report_exception_unless_released("release a frame of an EGL stream");
    }
}

EglFrame EglAcquiredFrame::frame() const {
    const detail::StreamScope scope(acquired().stream());
    return EglFrame(check(driver::cuGraphicsResourceGetMappedEglFrame(acquired().resource(), 0, 0)));
}

driver::CUgraphicsResource EglAcquiredFrame::native_handle() const {
    return acquired().resource();
}

void EglAcquiredFrame::release() {
    if (acquired_ != nullptr) release(acquired_->stream());
}

void EglAcquiredFrame::release(StreamRef stream) {
    (void)detail::StreamAccess::handle(stream);  // a stream that was moved from leaves the frame to the destructor
    const std::unique_ptr<detail::AcquiredFrame> released = std::move(acquired_);
    if (released != nullptr) released->release(stream);
}

const detail::AcquiredFrame& EglAcquiredFrame::acquired() const {
    if (acquired_ == nullptr) [[unlikely]]
        detail::throw_moved_from("EglAcquiredFrame");
    return *acquired_;
}

}  // namespace CUBIND_NAMESPACE
