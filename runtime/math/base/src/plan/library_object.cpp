// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/library_object.hpp"

#include <cubind/detail/host_function.hpp>
#include <cubind/driver/event.hpp>

#include <exception>
#include <optional>
#include <utility>

#include "lifetime/known_contexts.hpp"
#include "plan/checked.hpp"

namespace CUBIND_NAMESPACE::math::detail {

LibraryObject::LibraryObject(ContextRef context, std::uintptr_t handle, Destroy destroy) noexcept
    : context_(context),
      handle_(handle),
      destroy_(destroy),
      ended_before_(__atomic_load_n(&cubind::detail::ended_contexts, __ATOMIC_RELAXED)) {}

std::shared_ptr<LibraryObject> LibraryObject::own(ContextRef context, std::uintptr_t handle, Destroy destroy) {
    // A graph releases its reference in a callback of the driver, where the library must not be called.
    const auto destroy_later = [](LibraryObject* object) noexcept { cubind::detail::destroy_later(object); };
    LibraryObject* object = nullptr;
    try {
        object = new LibraryObject(context, handle, destroy);
    } catch (...) {
        destroy(handle);
        throw;
    }
    return {object, destroy_later};
}

LibraryObject::~LibraryObject() {
    // An object ends with its context, and the library would use freed memory.
    const unsigned int ended = __atomic_load_n(&cubind::detail::ended_contexts, __ATOMIC_RELAXED);
    if (ended != ended_before_ && cubind::detail::has_ended(context_.native_handle(), ended_before_)) return;
    std::optional<ScopedContext> scope;
    try {
        scope.emplace(context_);
    } catch (const std::exception& error) {  // the library may find the context itself
        report_failed_release("make the context of an object of a library current", error.what());
    }
    destroy_(handle_);
}

void LibraryObject::release(std::shared_ptr<LibraryObject>& object, const CallOrder& order) noexcept {
    if (object == nullptr) return;
    try {
        const ScopedContext scope(object->context_);  // of which a default stream is
        if (auto completion = order.record()) object->completion_ = std::move(*completion);
    } catch (const std::exception& error) {
        report_failed_release("record the end of a plan's work", error.what());
    }
    object.reset();
    if (!cubind::detail::is_in_host_function()) cubind::detail::destroy_ready_objects();
}

bool LibraryObject::is_ready() noexcept {
    if (completion_.is_closed()) return true;
    return driver::cuEventQuery(completion_.native_handle()).status != driver::CUDA_ERROR_NOT_READY;
}

}  // namespace CUBIND_NAMESPACE::math::detail
