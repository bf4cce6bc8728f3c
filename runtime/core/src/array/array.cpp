// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/array.hpp>
#include <cubind/driver/memory.hpp>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {
namespace {

Result<driver::CUresult> destroy_array(unsigned long long handle) {
    return driver::cuArrayDestroy(reinterpret_cast<driver::CUarray>(handle));
}

}  // namespace

OwnedArray::OwnedArray(ContextRef context)
    : ContextObject(context, destroy_array, "destroy an array"), array_(nullptr, {}, *this) {}

ArrayRef OwnedArray::own(const std::shared_ptr<OwnedArray>& state, driver::CUarray handle,
                         const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept {
    state->array_ = ArrayState(handle, descriptor, *state);
    return ContextObject::own(state, reinterpret_cast<unsigned long long>(handle))->array_.view();
}

ArrayRef ArrayState::view() const noexcept {
    ArrayRef array(handle_);
    array.state_ = this;
    return array;
}

std::shared_ptr<const void> share(ArrayRef array) {
    (void)array.native_handle();
    return array.state_ == nullptr ? nullptr : array.state_->owner().share();
}

ContextRef context_of(ArrayRef array) {
    const ArrayState* const state = ArrayState::of(array);
    return state != nullptr ? state->owner().context() : context_of_foreign_object();
}

driver::CUDA_ARRAY3D_DESCRIPTOR descriptor_of(ArrayRef array) {
    const driver::CUarray handle = array.native_handle();
    if (const ArrayState* const state = ArrayState::of(array)) return state->descriptor();
    const ScopedContext scope(context_of(array));
    return check(driver::cuArray3DGetDescriptor(handle));
}

}  // namespace detail

// ---- the view ------------------------------------------------------------------------------------------------------------

ArrayOptions ArrayRef::options() const {
    return detail::options_of(detail::descriptor_of(*this));
}

Extent3D ArrayRef::extent() const {
    return detail::extent_of(detail::descriptor_of(*this));
}

unsigned int ArrayRef::flags() const {
    return detail::descriptor_of(*this).Flags;
}

ArrayRegion ArrayRef::region(const Offset3D& offset, const Extent3D& extent) const {
    return {*this, offset, extent};
}

ArrayRegion ArrayRef::layer(std::size_t index) const {
    const Extent3D all = extent();
    return {*this, {.z = index}, {all.width, all.height, 1}};
}

Device ArrayRef::device() const {
    (void)native_handle();
    return detail::device_of(state_ != nullptr ? &state_->owner() : nullptr, "an array");
}

void ArrayRef::destroy() const {
    state_->owner().close();
}

void ArrayRef::destroy_quietly() const noexcept {
    state_->owner().drop();
}

ArrayRef::Handle ArrayRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->owner().disown();
    return handle;
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

namespace {

ArrayRef create(ContextRef context, const ArrayOptions& options) {
    detail::check_array(options, context);
    const auto state = std::make_shared<detail::OwnedArray>(context);
    const auto descriptor = detail::descriptor_of(options);
    const ScopedContext scope(context);
    const detail::RelaxedCaptureMode mode;
    const auto created = driver::cuArray3DCreate(&descriptor);
    if (!created.ok()) {
        const bool is_refused = created.status == driver::CUDA_ERROR_INVALID_VALUE;
        detail::throw_with_advice({created.status}, is_refused ? detail::advice_on_array(options, context) : "");
    }
    return detail::OwnedArray::own(state, created.value, descriptor);
}

}  // namespace

Array::Array(Device device, const ArrayOptions& options) : Array(device.context(), options) {}

Array::Array(ContextRef context, const ArrayOptions& options) : Owner(create(context, options)) {}

Array Array::from_native_handle(Handle handle) {
    const auto descriptor = detail::descriptor_of(ArrayRef(handle));
    const auto state = std::make_shared<detail::OwnedArray>(detail::context_of_foreign_object());
    return Array(detail::OwnedArray::own(state, handle, descriptor));
}

Array Device::create_array(const ArrayOptions& options) const {
    return Array(*this, options);
}

}  // namespace CUBIND_NAMESPACE
