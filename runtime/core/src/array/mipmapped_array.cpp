// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/driver/memory.hpp>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {
namespace {

Result<driver::CUresult> destroy_mipmapped_array(unsigned long long handle) {
    return driver::cuMipmappedArrayDestroy(reinterpret_cast<driver::CUmipmappedArray>(handle));
}

}  // namespace

MipmappedArrayState::MipmappedArrayState(ContextRef context, unsigned int level_count, std::shared_ptr<const void> used)
    : ContextObject(context, destroy_mipmapped_array, "destroy a mipmapped array", std::move(used)) {
    levels_.reserve(level_count);
}

void MipmappedArrayState::add(driver::CUarray handle, const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept {
    levels_.emplace_back(handle, descriptor, *this);
}

MipmappedArrayRef MipmappedArrayState::own(const std::shared_ptr<MipmappedArrayState>& state,
                                           driver::CUmipmappedArray handle) noexcept {
    MipmappedArrayRef array(handle);
    array.state_ = ContextObject::own(state, reinterpret_cast<unsigned long long>(handle));
    return array;
}

// The context is current.
void MipmappedArrayState::add_levels(driver::CUmipmappedArray handle, unsigned int level_count) {
    for (unsigned int level = 0; level < level_count; ++level) {
        const driver::CUarray array = check(driver::cuMipmappedArrayGetLevel(handle, level));
        add(array, check(driver::cuArray3DGetDescriptor(array)));
    }
}

MipmappedArray MipmappedArrayState::create(ContextRef context, unsigned int level_count,
                                           const std::function<driver::CUmipmappedArray()>& create_native,
                                           std::shared_ptr<const void> used) {
    const auto state = std::make_shared<MipmappedArrayState>(context, level_count, std::move(used));
    const ScopedContext scope(context);
    const RelaxedCaptureMode mode;
    const driver::CUmipmappedArray handle = create_native();
    MipmappedArray array(own(state, handle));
    state->add_levels(handle, level_count);
    return array;
}

void check_level_count(const ArrayOptions& options, unsigned int level_count) {
    const unsigned int max = max_level_count(options);
    if (level_count <= max) return;
    throw_misuse(describe(options), " cannot have ", level_count, " levels: it has at most ", max);
}

std::shared_ptr<const void> share(MipmappedArrayRef array) {
    (void)array.native_handle();
    return array.state_ == nullptr ? nullptr : array.state_->share();
}

}  // namespace detail

// ---- the view ------------------------------------------------------------------------------------------------------------

ArrayRef MipmappedArrayRef::level(unsigned int index) const {
    const Handle handle = native_handle();
    if (state_ == nullptr) {
        const ScopedContext scope(detail::context_of_foreign_object());
        const auto level = driver::cuMipmappedArrayGetLevel(handle, index);
        if (!level.ok()) detail::throw_with_advice({level.status}, detail::concat("Level ", index, " was requested."));
        return level.value;
    }
    if (index >= state_->levels().size()) {
        detail::throw_misuse("MipmappedArrayRef::level(", index, "): the array has ", state_->levels().size(),
                             " levels, numbered from 0");
    }
    return state_->levels()[index].view();
}

unsigned int MipmappedArrayRef::level_count() const {
    (void)native_handle();
    if (state_ == nullptr)
        detail::throw_misuse("the driver does not report the number of levels of an array that cubind does not own");
    return static_cast<unsigned int>(state_->levels().size());
}

Device MipmappedArrayRef::device() const {
    (void)native_handle();
    return detail::device_of(state_, "a mipmapped array");
}

void MipmappedArrayRef::destroy() const {
    state_->close();
}

void MipmappedArrayRef::destroy_quietly() const noexcept {
    state_->drop();
}

MipmappedArrayRef::Handle MipmappedArrayRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->disown();
    return handle;
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

namespace {

MipmappedArray create(ContextRef context, const ArrayOptions& options, unsigned int level_count) {
    detail::check_array(options, context);
    detail::check_level_count(options, level_count);
    const unsigned int count = level_count == MipmappedArray::all_levels ? detail::max_level_count(options) : level_count;
    return detail::MipmappedArrayState::create(context, count, [&] {
        const auto descriptor = detail::descriptor_of(options);
        const auto created = driver::cuMipmappedArrayCreate(&descriptor, count);
        if (!created.ok()) {
            const bool is_refused = created.status == driver::CUDA_ERROR_INVALID_VALUE;
            detail::throw_with_advice({created.status}, is_refused ? detail::advice_on_array(options, context) : "");
        }
        return created.value;
    });
}

}  // namespace

MipmappedArray::MipmappedArray(Device device, const ArrayOptions& options, unsigned int level_count)
    : MipmappedArray(device.context(), options, level_count) {}

MipmappedArray::MipmappedArray(ContextRef context, const ArrayOptions& options, unsigned int level_count)
    : MipmappedArray(create(context, options, level_count)) {}

MipmappedArray MipmappedArray::from_native_handle(Handle handle, unsigned int level_count) {
    (void)MipmappedArrayRef(handle).native_handle();
    const ContextRef context = detail::context_of_foreign_object();
    const auto state = std::make_shared<detail::MipmappedArrayState>(context, level_count);
    const ScopedContext scope(context);
    state->add_levels(handle, level_count);
    return MipmappedArray(detail::MipmappedArrayState::own(state, handle));
}

MipmappedArray Device::create_mipmapped_array(const ArrayOptions& options) const {
    return MipmappedArray(*this, options);
}

MipmappedArray Device::create_mipmapped_array(const ArrayOptions& options, unsigned int level_count) const {
    return MipmappedArray(*this, options, level_count);
}

}  // namespace CUBIND_NAMESPACE
