// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/array/array.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>

namespace CUBIND_NAMESPACE {

/// The pixels of an image or a stream of EGL, as CUDA sees them: one to three planes in arrays or in pitched memory. A value,
/// which is as cheap to copy as the native struct. It owns neither the planes nor the EGL object.
class CUBIND_EXPORT EglFrame {
public:
    /// Creates a frame without planes.
    EglFrame() noexcept = default;
    /// Describes the same planes as the native struct.
    explicit EglFrame(const driver::CUeglFrame& native) noexcept : native_(native) {}

    /// Describes arrays, one for each plane, of a format of pixels. The size and the format are those of the first array
    /// (cuArray3DGetDescriptor). Throws std::invalid_argument unless there are 1 to 3 arrays of one or two dimensions.
    [[nodiscard]] static EglFrame of_arrays(std::span<const ArrayRef> planes, driver::CUeglColorFormat color_format);
    /// Describes arrays, like the other function: EglFrame::of_arrays({luma, chroma}, format).
    [[nodiscard]] static EglFrame of_arrays(std::initializer_list<ArrayRef> planes, driver::CUeglColorFormat color_format);

    /// Returns the native struct, for driver calls.
    [[nodiscard]] const driver::CUeglFrame& native() const noexcept { return native_; }

    /// Returns the number of planes.
    [[nodiscard]] unsigned int plane_count() const noexcept { return native_.planeCount; }
    /// Returns the size of the first plane in pixels.
    [[nodiscard]] unsigned int width() const noexcept { return native_.width; }
    /// Returns the number of rows of the first plane.
    [[nodiscard]] unsigned int height() const noexcept { return native_.height; }
    /// Returns the number of slices, or 0 for two dimensions.
    [[nodiscard]] unsigned int depth() const noexcept { return native_.depth; }
    /// Returns how the colors of a pixel are stored in the planes.
    [[nodiscard]] driver::CUeglColorFormat color_format() const noexcept { return native_.eglColorFormat; }
    /// Returns the format of the elements of the first plane.
    [[nodiscard]] ArrayFormat format() const;

    /// Returns whether the planes are arrays; otherwise they are pitched memory.
    [[nodiscard]] bool is_array() const noexcept { return native_.frameType == driver::CU_EGL_FRAME_TYPE_ARRAY; }
    /// Returns a plane. Throws std::invalid_argument for a frame in pitched memory and for a plane that does not exist.
    [[nodiscard]] ArrayRef array(unsigned int plane = 0) const;
    /// Returns the address of a plane in pitched memory. Throws std::invalid_argument for a frame of arrays and for a plane that
    /// does not exist.
    [[nodiscard]] driver::CUdeviceptr address(unsigned int plane = 0) const;
    /// Returns the distance of two rows of pitched memory in bytes. Throws std::invalid_argument for a frame of arrays.
    [[nodiscard]] std::size_t pitch() const;

private:
    void check_plane(unsigned int plane, driver::CUeglFrameType type, const char* function) const;

    driver::CUeglFrame native_{};
};

}  // namespace CUBIND_NAMESPACE
