// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/interop/egl_frame.hpp>

#include <iterator>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

namespace {

constexpr std::size_t max_planes = std::size(driver::CUeglFrame{}.frame.pArray);

}  // namespace

EglFrame EglFrame::of_arrays(std::span<const ArrayRef> planes, driver::CUeglColorFormat color_format) {
    EglFrame frame;
    if (planes.empty() || planes.size() > max_planes) {
        detail::throw_misuse("EglFrame::of_arrays() needs 1 to ", max_planes, " arrays, but there are ", planes.size());
    }
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const ArrayOptions options = planes[i].options();
        if (options.depth != 0 || options.layers != 0 || options.cubemap) {
            detail::throw_misuse("EglFrame::of_arrays(): array ", i,
                                 " has slices, layers or faces; a plane has one or two dimensions");
        }
        frame.native_.frame.pArray[i] = planes[i].native_handle();
        if (i != 0) continue;
        frame.native_.width = static_cast<unsigned int>(options.width);  // the driver limits the sizes of arrays
        frame.native_.height = static_cast<unsigned int>(options.height);
        frame.native_.numChannels = options.format.channels;
        frame.native_.cuFormat = options.format.channel;
    }
    frame.native_.planeCount = static_cast<unsigned int>(planes.size());
    frame.native_.frameType = driver::CU_EGL_FRAME_TYPE_ARRAY;
    frame.native_.eglColorFormat = color_format;
    return frame;
}

EglFrame EglFrame::of_arrays(std::initializer_list<ArrayRef> planes, driver::CUeglColorFormat color_format) {
    return of_arrays(std::span<const ArrayRef>(planes.begin(), planes.size()), color_format);
}

ArrayFormat EglFrame::format() const {
    return {native_.cuFormat, native_.numChannels};
}

ArrayRef EglFrame::array(unsigned int plane) const {
    check_plane(plane, driver::CU_EGL_FRAME_TYPE_ARRAY, "array");
    return native_.frame.pArray[plane];
}

driver::CUdeviceptr EglFrame::address(unsigned int plane) const {
    check_plane(plane, driver::CU_EGL_FRAME_TYPE_PITCH, "address");
    return reinterpret_cast<driver::CUdeviceptr>(native_.frame.pPitch[plane]);
}

std::size_t EglFrame::pitch() const {
    check_plane(0, driver::CU_EGL_FRAME_TYPE_PITCH, "pitch");
    return native_.pitch;
}

void EglFrame::check_plane(unsigned int plane, driver::CUeglFrameType type, const char* function) const {
    if (plane >= native_.planeCount || plane >= max_planes) {
        detail::throw_misuse("EglFrame::", function, "(): plane ", plane, " was requested, and the frame has ",
                             native_.planeCount, " planes, numbered from 0; there are at most ", max_planes);
    }
    if (native_.frameType != type) {
        detail::throw_misuse("EglFrame::", function, "(): the planes are ",
                             is_array() ? "arrays: use array()" : "pitched memory: use address()");
    }
}

}  // namespace CUBIND_NAMESPACE
