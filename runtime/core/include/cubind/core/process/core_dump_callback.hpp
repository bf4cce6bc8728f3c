// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <functional>
#include <memory>

/// @file
/// Core dumps of GPUs. <cubind/core.hpp> does not include this header, because few files need it.
namespace CUBIND_NAMESPACE {

/// A function that the driver calls when a core dump of a GPU begins or is complete, for example to send the file elsewhere
/// before the process ends. It is called for every context, until the object is destroyed. The driver calls it on a thread of its
/// own; it must not call CUDA functions, throw, or destroy this object. Requires a driver of CUDA 13.2; see also
/// CoreDumpSettings.
///
///     const auto complete = CoreDumpCallback::at_end([](int process, driver::CUdevice device) noexcept { send(...); });
///
/// Movable. An object that was moved from is empty. Only one thread at a time may use it.
class [[nodiscard]] CUBIND_EXPORT CoreDumpCallback {
public:
    /// The arguments are the identification of the process and the device of the core dump.
    using Function = std::function<void(int process, driver::CUdevice device)>;

    /// Creates an empty object.
    CoreDumpCallback() noexcept;
    /// Registers a function that is called before a core dump is written (cuCoredumpRegisterStartCallback). Throws
    /// std::invalid_argument for an empty function, and with an older driver.
    static CoreDumpCallback at_start(Function function);
    /// Registers a function that is called after a core dump was written (cuCoredumpRegisterCompleteCallback). Throws as
    /// at_start() does.
    static CoreDumpCallback at_end(Function function);

    /// Moves the registration; `other` is empty afterwards.
    CoreDumpCallback(CoreDumpCallback&& other) noexcept;
    /// Ends the registration of this object as the destructor does, and moves the other one.
    CoreDumpCallback& operator=(CoreDumpCallback&& other) noexcept;
    CoreDumpCallback(const CoreDumpCallback&) = delete;
    CoreDumpCallback& operator=(const CoreDumpCallback&) = delete;
    /// Ends the registration (cuCoredumpDeregisterStartCallback, cuCoredumpDeregisterCompleteCallback). A failure is reported to
    /// the cleanup handler; the function is not destroyed then, because the driver may still call it.
    ~CoreDumpCallback();

    /// Ends the registration as the destructor does, but throws Error if that fails. The object is empty afterwards. Does nothing
    /// if it is empty.
    void close();
    /// Returns whether the object is empty.
    [[nodiscard]] bool is_closed() const noexcept { return registration_ == nullptr; }

private:
    struct Registration;

    explicit CoreDumpCallback(std::unique_ptr<Registration> registration) noexcept;
    static CoreDumpCallback registered(Function function, bool is_for_start);
    void close_quietly() noexcept;

    std::unique_ptr<Registration> registration_;
};

}  // namespace CUBIND_NAMESPACE
