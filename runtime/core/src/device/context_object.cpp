// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/context_object.hpp"

#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/stream_state.hpp>

#include <exception>
#include <optional>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "lifetime/known_contexts.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::detail {

ContextObject::ContextObject(ContextRef context, Destroy destroy, const char* action, std::shared_ptr<const void> used)
    : used_(std::move(used)),
      context_(context),
      destroy_(destroy),
      action_(action),
      first_later_end_(__atomic_load_n(&ended_contexts, __ATOMIC_RELAXED)),
      is_in_primary_context_(DeviceTable::get().has_primary(context.native_handle())) {
    note_context(context.native_handle());
}

ContextObject::~ContextObject() {
    try {
        destroy_in_context();
    } catch (...) {
        report_exception_unless_released(action_);
    }
}

void ContextObject::close() {
    const std::shared_ptr<const void> last = std::exchange(reference_of_owner_, nullptr);
    if (last.use_count() == 1) destroy_in_context();
}

bool ContextObject::has_context_ended() const noexcept {
    const bool may_have_ended = !is_in_primary_context_ || first_later_end_ != __atomic_load_n(&ended_contexts, __ATOMIC_RELAXED);
    return may_have_ended && has_ended(context_.native_handle(), first_later_end_);
}

void ContextObject::destroy_in_context() {
    const unsigned long long handle = std::exchange(handle_, 0);
    if (handle == 0 || has_context_ended()) return;
    const RelaxedCaptureMode mode;
    std::optional<ScopedContext> scope;
    std::exception_ptr failure;
    try {
        scope.emplace(context_);
    } catch (const Error&) {
        failure = std::current_exception();  // the object is destroyed nevertheless
    }
    const auto destroyed = destroy_(handle);
    if (failure != nullptr) std::rethrow_exception(failure);
    check_latest(destroyed);
}

Device device_of(const ContextObject* state, const char* kind) {
    if (state == nullptr) throw_misuse("the driver does not report the device of ", kind, " that cubind does not own");
    return state->context().device();
}

ContextRef context_of_foreign_object() {
    const ContextRef current = ContextRef::current();
    return current ? current : Device(0).primary_context();
}

}  // namespace CUBIND_NAMESPACE::detail
