// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/over_budget_callback.hpp>
#include <cubind/driver/memory.hpp>

#include <utility>

#include "calls/driver.hpp"
#include "calls/kept_objects.hpp"
#include "calls/required_release.hpp"

namespace CUBIND_NAMESPACE {

/// A function that the driver may call. If the driver does not end the registration, the object is kept until the process ends.
struct OverBudgetCallback::Registration {
    Registration(Device own_device, Function own_function) : device(own_device), function(std::move(own_function)) {}

    // noexcept: an exception must not pass through the driver.
    static void call(driver::CUasyncNotificationInfo* info, void* registration, driver::CUasyncCallbackHandle) noexcept {
        if (info->type != driver::CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET) return;  // a kind of a later release
        static_cast<Registration*>(registration)->function(info->info.overBudget.bytesOverBudget);
    }

    Result<driver::CUresult> end() const noexcept {
        return driver::cuDeviceUnregisterAsyncNotification(device.native_handle(), handle);
    }

    Device device;
    Function function;
    driver::CUasyncCallbackHandle handle = nullptr;
    Registration* next_kept = nullptr;
};

OverBudgetCallback::OverBudgetCallback() noexcept = default;

OverBudgetCallback::OverBudgetCallback(Device device, Function function) {
    if (!function) detail::throw_misuse("the function of an OverBudgetCallback is empty");
    detail::require_release("OverBudgetCallback", 12040);
    auto registration = std::make_unique<Registration>(device, std::move(function));
    registration->handle =
        check(driver::cuDeviceRegisterAsyncNotification(device.native_handle(), Registration::call, registration.get()));
    registration_ = std::move(registration);
}

OverBudgetCallback::OverBudgetCallback(OverBudgetCallback&& other) noexcept = default;

OverBudgetCallback& OverBudgetCallback::operator=(OverBudgetCallback&& other) noexcept {
    if (this == &other) return *this;
    close_quietly();
    registration_ = std::move(other.registration_);
    return *this;
}

OverBudgetCallback::~OverBudgetCallback() {
    close_quietly();
}

void OverBudgetCallback::close() {
    detail::end_or_keep(std::move(registration_));
}

void OverBudgetCallback::close_quietly() noexcept {
    detail::end_or_keep_quietly(std::move(registration_), "unregister a callback of a memory budget");
}

}  // namespace CUBIND_NAMESPACE
