// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/surface.hpp>
#include <cubind/driver/surface_object.hpp>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {

/// Owns a surface, and retains its array.
class SurfaceState final : public ContextObject {
public:
    SurfaceState(ContextRef context, std::shared_ptr<const void> array)
        : ContextObject(context, driver::cuSurfObjectDestroy, "destroy a surface", std::move(array)) {}

    static SurfaceRef own(std::shared_ptr<SurfaceState> state, driver::CUsurfObject handle) noexcept {
        SurfaceRef surface(handle);
        surface.state_ = ContextObject::own(std::move(state), handle);
        return surface;
    }
};

std::shared_ptr<const void> share_surface(SurfaceRef surface) {
    (void)surface.native_handle();
    return surface.state_ == nullptr ? nullptr : surface.state_->share();
}

}  // namespace detail

// ---- the view and the owner ----------------------------------------------------------------------------------------------

driver::CUDA_RESOURCE_DESC SurfaceRef::resource() const {
    const Handle handle = native_handle();
    const ScopedContext scope(state_ != nullptr ? state_->context() : detail::context_of_foreign_object());
    return check(driver::cuSurfObjectGetResourceDesc(handle));
}

Device SurfaceRef::device() const {
    (void)native_handle();
    return detail::device_of(state_, "a surface");
}

void SurfaceRef::destroy() const {
    state_->close();
}

void SurfaceRef::destroy_quietly() const noexcept {
    state_->drop();
}

SurfaceRef::Handle SurfaceRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->disown();
    return handle;
}

namespace {

SurfaceRef create(ArrayRef array) {
    const ArrayOptions options = array.options();
    if (!options.surface_load_store) {
        detail::throw_misuse("a surface cannot be created for ", detail::describe(options),
                             ", which was created without surface_load_store: set ArrayOptions::surface_load_store");
    }
    const ContextRef context = detail::context_of(array);
    auto state = std::make_shared<detail::SurfaceState>(context, detail::share(array));
    driver::CUDA_RESOURCE_DESC resource{};
    resource.resType = driver::CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array.native_handle();
    const ScopedContext scope(context);
    const detail::RelaxedCaptureMode mode;
    return detail::SurfaceState::own(std::move(state), check(driver::cuSurfObjectCreate(&resource)));
}

}  // namespace

SurfaceObject::SurfaceObject(ArrayRef array) : Owner(create(array)) {}

SurfaceObject SurfaceObject::from_native_handle(Handle handle) {
    (void)SurfaceRef(handle).native_handle();
    auto state = std::make_shared<detail::SurfaceState>(detail::context_of_foreign_object(), nullptr);
    return SurfaceObject(detail::SurfaceState::own(std::move(state), handle));
}

}  // namespace CUBIND_NAMESPACE
