// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_base/operand.hpp>

namespace CUBIND_NAMESPACE::math {

Operand::Operand(const StridedView& view)
    : data_(view.data()),
      dtype_(view.dtype()),
      is_readonly_(view.is_readonly()),
      is_device_accessible_(view.is_device_accessible()),
      shape_(view.shape()),
      strides_(view.strides()),
      view_(&view) {}

Operand::Operand(const Buffer& buffer, DataType dtype, std::int64_t count)
    : data_(reinterpret_cast<void*>(cubind::detail::memory_view_of(buffer).address)),
      dtype_(dtype),
      is_readonly_(false),
      shape_{count},
      strides_{1},
      buffer_(&buffer) {}

std::int64_t Operand::size() const noexcept {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape_) count *= extent;
    return count;
}

std::optional<Device> Operand::device() const {
    if (view_ != nullptr) return view_->device();
    if (buffer_ == nullptr) return std::nullopt;
    const auto resource = buffer_->memory_resource();
    return resource ? resource->device() : std::nullopt;
}

std::shared_ptr<const void> Operand::share() const {
    if (view_ != nullptr) return view_->owner();
    return buffer_ == nullptr ? nullptr : cubind::detail::share(*buffer_);
}

}  // namespace CUBIND_NAMESPACE::math
