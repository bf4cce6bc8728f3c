// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/device.hpp>
#include <cubind/driver/external_resource.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/interop/external_semaphore.hpp>

#include "calls/driver.hpp"
#include "descriptor_guard.hpp"
#include "device/context_object.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {
namespace {

Result<driver::CUresult> destroy_semaphore(unsigned long long handle) {
    return driver::cuDestroyExternalSemaphore(reinterpret_cast<driver::CUexternalSemaphore>(handle));
}

}  // namespace

/// What cubind stores about an imported semaphore that it owns.
class ExternalSemaphoreState final : public ContextObject {
public:
    ExternalSemaphoreState(ContextRef context, ExternalSemaphoreKind own_kind)
        : ContextObject(context, destroy_semaphore, "destroy an external semaphore"), kind(own_kind) {}

    /// Takes ownership of the semaphore, and returns a view that has its state.
    static ExternalSemaphoreRef own(const std::shared_ptr<ExternalSemaphoreState>& state,
                                    driver::CUexternalSemaphore handle) noexcept {
        ExternalSemaphoreRef semaphore(handle);
        semaphore.state_ = ContextObject::own(state, reinterpret_cast<unsigned long long>(handle));
        return semaphore;
    }

    const ExternalSemaphoreKind kind;
};

std::shared_ptr<const void> share(ExternalSemaphoreRef semaphore) {
    (void)semaphore.native_handle();
    return semaphore.state_ == nullptr ? nullptr : semaphore.state_->share();
}

}  // namespace detail

// ---- the view ------------------------------------------------------------------------------------------------------------

std::optional<ExternalSemaphoreKind> ExternalSemaphoreRef::kind() const {
    (void)native_handle();
    return state_ == nullptr ? std::nullopt : std::optional(state_->kind);
}

void ExternalSemaphoreRef::signal(StreamRef stream) const {
    signal_semaphores(stream, {{*this}});
}

void ExternalSemaphoreRef::signal(StreamRef stream, std::uint64_t value) const {
    signal_semaphores(stream, {{*this, value}});
}

void ExternalSemaphoreRef::wait(StreamRef stream) const {
    wait_semaphores(stream, {{*this}});
}

void ExternalSemaphoreRef::wait(StreamRef stream, std::uint64_t value) const {
    wait_semaphores(stream, {{*this, value}});
}

void ExternalSemaphoreRef::destroy() const {
    state_->close();
}

void ExternalSemaphoreRef::destroy_quietly() const noexcept {
    state_->drop();
}

ExternalSemaphoreRef::Handle ExternalSemaphoreRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->disown();
    return handle;
}

void fill_nv_sci_sync_attributes(Device device, void* attribute_list, NvSciSyncAccess access) {
    if (attribute_list == nullptr) detail::throw_misuse("fill_nv_sci_sync_attributes(): the list of attributes is nullptr");
    const auto filled = driver::cuDeviceGetNvSciSyncAttributes(attribute_list, device.native_handle(), static_cast<int>(access));
    if (!filled.ok()) {
        detail::throw_with_advice(filled, detail::concat("An NvSciSyncAttrList was to be filled for device ", device.ordinal(),
                                                         ", which only systems with NvSci support."));
    }
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

namespace {

ExternalSemaphoreRef import_semaphore(ContextRef context, const driver::CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& description,
                                      const std::string& advice) {
    const auto state =
        std::make_shared<detail::ExternalSemaphoreState>(context, static_cast<ExternalSemaphoreKind>(description.type));
    const ScopedContext scope(context);
    const detail::RelaxedCaptureMode mode;
    const auto imported = driver::cuImportExternalSemaphore(&description);
    if (!imported.ok()) detail::throw_with_advice({imported.status}, advice);
    return detail::ExternalSemaphoreState::own(state, imported.value);
}

ExternalSemaphoreRef import_semaphore(ContextRef context, FileDescriptor& descriptor, ExternalSemaphoreKind kind) {
    if (kind != ExternalSemaphoreKind::binary && kind != ExternalSemaphoreKind::timeline) {
        detail::throw_misuse("a file descriptor cannot be imported as a semaphore of kind ", static_cast<int>(kind),
                             ": it is a binary or a timeline semaphore");
    }
    driver::CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
    description.type = static_cast<driver::CUexternalSemaphoreHandleType>(kind);
    description.handle.fd = descriptor.native_handle();
    const detail::DescriptorGuard guard(descriptor);
    const ExternalSemaphoreRef semaphore = import_semaphore(
        context, description,
        detail::concat(
            "File descriptor ", descriptor.native_handle(), " was to be imported as ", driver::to_string(description.type),
            ". It must be exported by a driver of the same GPU as an opaque file descriptor, and the kind must be that of "
            "the semaphore."));
    (void)descriptor.release();
    return semaphore;
}

}  // namespace

ExternalSemaphore::ExternalSemaphore(Device device, FileDescriptor&& descriptor, ExternalSemaphoreKind kind)
    : ExternalSemaphore(device.context(), std::move(descriptor), kind) {}

ExternalSemaphore::ExternalSemaphore(ContextRef context, FileDescriptor&& descriptor, ExternalSemaphoreKind kind)
    : Owner(import_semaphore(context, descriptor, kind)) {}

ExternalSemaphore ExternalSemaphore::import_nv_sci_sync(ContextRef context, const void* object) {
    if (object == nullptr) detail::throw_misuse("ExternalSemaphore::import_nv_sci_sync(): the object is nullptr");
    driver::CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
    description.type = driver::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC;
    description.handle.nvSciSyncObj = object;
    return ExternalSemaphore(
        import_semaphore(context, description, "An NvSciSyncObj was to be imported, which only systems with NvSci support."));
}

ExternalSemaphore ExternalSemaphore::from_native_handle(Handle handle, ExternalSemaphoreKind kind) {
    (void)ExternalSemaphoreRef(handle).native_handle();
    const auto state = std::make_shared<detail::ExternalSemaphoreState>(detail::context_of_foreign_object(), kind);
    return ExternalSemaphore(detail::ExternalSemaphoreState::own(state, handle));
}

}  // namespace CUBIND_NAMESPACE
