// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/process/core_dump_callback.hpp>
#include <cubind/driver/coredump.hpp>

#include <utility>

#include "calls/driver.hpp"
#include "calls/kept_objects.hpp"
#include "calls/required_release.hpp"

namespace CUBIND_NAMESPACE {

/// A function that the driver may call. If the driver does not end the registration, the object is kept until the process ends.
struct CoreDumpCallback::Registration {
    Registration(Function own_function, bool for_start) : function(std::move(own_function)), is_for_start(for_start) {}

    // noexcept: an exception must not pass through the driver.
    static void call(void* registration, int process, driver::CUdevice device) noexcept {
        static_cast<Registration*>(registration)->function(process, device);
    }

    Result<driver::CUresult> end() const noexcept {
        return is_for_start ? driver::cuCoredumpDeregisterStartCallback(handle)
                            : driver::cuCoredumpDeregisterCompleteCallback(handle);
    }

    Function function;
    bool is_for_start;
    driver::CUcoredumpCallbackHandle handle = nullptr;
    Registration* next_kept = nullptr;
};

CoreDumpCallback CoreDumpCallback::registered(Function function, bool is_for_start) {
    if (!function) detail::throw_misuse("the function of a CoreDumpCallback is empty");
    detail::require_release("CoreDumpCallback", 13020);
    auto registration = std::make_unique<Registration>(std::move(function), is_for_start);
    void* const data = registration.get();
    registration->handle = check(is_for_start ? driver::cuCoredumpRegisterStartCallback(Registration::call, data)
                                              : driver::cuCoredumpRegisterCompleteCallback(Registration::call, data));
    return CoreDumpCallback(std::move(registration));
}

CoreDumpCallback CoreDumpCallback::at_start(Function function) {
    return registered(std::move(function), true);
}

CoreDumpCallback CoreDumpCallback::at_end(Function function) {
    return registered(std::move(function), false);
}

CoreDumpCallback::CoreDumpCallback() noexcept = default;
CoreDumpCallback::CoreDumpCallback(std::unique_ptr<Registration> registration) noexcept
    : registration_(std::move(registration)) {}
CoreDumpCallback::CoreDumpCallback(CoreDumpCallback&& other) noexcept = default;

CoreDumpCallback& CoreDumpCallback::operator=(CoreDumpCallback&& other) noexcept {
    if (this == &other) return *this;
    close_quietly();
    registration_ = std::move(other.registration_);
    return *this;
}

CoreDumpCallback::~CoreDumpCallback() {
    close_quietly();
}

void CoreDumpCallback::close() {
    detail::end_or_keep(std::move(registration_));
}

void CoreDumpCallback::close_quietly() noexcept {
    detail::end_or_keep_quietly(std::move(registration_), "deregister a callback of core dumps");
}

}  // namespace CUBIND_NAMESPACE
