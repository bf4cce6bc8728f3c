// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/device.hpp>
#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace CUBIND_NAMESPACE {

/// A function that the driver calls when the process uses more memory of a device than its budget, so that the program can free
/// some, until the object is destroyed. The function must return within about 10 ms, so it leaves the work to another thread. It
/// must not throw, and not create or end a registration. A budget exists only where the operating system or an administrator sets
/// one, so most processes never receive a call. Requires a driver of CUDA 12.4.
///
///     const OverBudgetCallback trimming(device, [&](std::uint64_t bytes) noexcept { is_trim_due = true; });
///
/// Movable. An object that was moved from is empty. Only one thread at a time may use it.
class [[nodiscard]] CUBIND_EXPORT OverBudgetCallback {
public:
    /// The argument is the number of bytes by which the process exceeds the budget.
    using Function = std::function<void(std::uint64_t bytes_over_budget)>;

    /// Creates an empty object.
    OverBudgetCallback() noexcept;
    /// Registers a function for the device (cuDeviceRegisterAsyncNotification). Throws std::invalid_argument for an empty
    /// function, and with an older driver, and Error if the driver refuses the registration.
    OverBudgetCallback(Device device, Function function);

    /// Moves the registration; `other` is empty afterwards.
    OverBudgetCallback(OverBudgetCallback&& other) noexcept;
    /// Ends the registration of this object as the destructor does, and moves the other one.
    OverBudgetCallback& operator=(OverBudgetCallback&& other) noexcept;
    OverBudgetCallback(const OverBudgetCallback&) = delete;
    OverBudgetCallback& operator=(const OverBudgetCallback&) = delete;
    /// Ends the registration (cuDeviceUnregisterAsyncNotification). A failure is reported to the cleanup handler; the function is
    /// not destroyed then, because the driver may still call it.
    ~OverBudgetCallback();

    /// Ends the registration as the destructor does, but throws Error if that fails. The object is empty afterwards. Does nothing
    /// if it is empty.
    void close();
    /// Returns whether the object is empty.
    [[nodiscard]] bool is_closed() const noexcept { return registration_ == nullptr; }

private:
    struct Registration;

    void close_quietly() noexcept;

    std::unique_ptr<Registration> registration_;
};

}  // namespace CUBIND_NAMESPACE
