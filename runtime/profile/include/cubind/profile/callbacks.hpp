// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

/// @file
/// Functions of a program that CUPTI calls before and after calls of CUDA.
namespace CUBIND_NAMESPACE::profile {

/// What callbacks are about.
enum class CallbackDomain : std::uint8_t {
    driver = 1,           ///< calls of the driver
    runtime = 2,          ///< calls of the runtime library
    resource = 3,         ///< creation and destruction of contexts, streams, modules and graphs
    synchronization = 4,  ///< ends of waits for streams and contexts
    nvtx = 5,             ///< calls of NVTX
    state = 6,            ///< errors and warnings of CUPTI
};

/// When a callback is made.
enum class CallbackSite : std::uint8_t {
    enter,  ///< before a call
    exit,   ///< after a call
    event,  ///< an event of the domains `resource`, `synchronization`, `nvtx` and `state`
};

/// What a callback gets. It is valid during the callback.
struct CallbackEvent {
    CallbackDomain domain = CallbackDomain::driver;  ///< domain
    CallbackSite site = CallbackSite::event;         ///< before or after the call
    std::uint32_t id = 0;                            ///< CUPTI's number of the function or of the kind of event
    const char* name = "";                           ///< function: "cuLaunchKernel"; "" if CUPTI has no name
    const char* kernel = nullptr;                    ///< mangled name of the kernel that is launched; null for other calls
    std::uint32_t correlation_id = 0;                ///< number of the call, which its records have, too; 0 for events
    std::uint64_t* slot = nullptr;                   ///< a number that `exit` gets as `enter` has left it; null for events
    /// Arguments of the call: a struct of CUPTI's header generated_cuda_meta.h. Null for events.
    const void* arguments = nullptr;
    const void* returned = nullptr;  ///< what the call has returned; null before it, and for events
    const void* native = nullptr;    ///< CUPTI's data: CUpti_CallbackData, CUpti_ResourceData, and so on
};

/// Receives callbacks. Threads call it at the same time: those that make the calls. It must not call CUDA. An exception does not
/// reach the program's call: the first one is thrown by Callbacks::close().
using CallbackHandler = std::function<void(const CallbackEvent&)>;

/// A subscriber of CUPTI's callbacks. A process has one subscriber at a time. Move-only. Functions may be called by any thread,
/// one at a time. A plugin that has created one is never unloaded.
///
///     std::atomic<int> launches = 0;
///     Callbacks callbacks([&](const CallbackEvent& event) { launches += event.site == CallbackSite::enter; });
///     callbacks.enable(CallbackDomain::driver, "cuLaunchKernel");
class [[nodiscard]] CUBIND_EXPORT Callbacks {
public:
    /// Subscribes (cuptiSubscribe). No domain is enabled. Throws std::invalid_argument for an empty handler, LoadError if CUPTI
    /// is missing, and Error if another subscriber is attached, such as another profiler.
    explicit Callbacks(CallbackHandler handler);
    /// Moves the subscriber; the other object is then closed.
    Callbacks(Callbacks&& other) noexcept;
    /// Closes this subscriber, and moves the other one.
    Callbacks& operator=(Callbacks&& other) noexcept;
    /// Unsubscribes (cuptiUnsubscribe). Failures, and an exception of the handler, are reported to the cleanup handler.
    ~Callbacks();

    /// Enables the callbacks of all functions of a domain (cuptiEnableDomain). Throws Error, and std::invalid_argument after
    /// close().
    void enable(CallbackDomain domain) { set(domain, {}, true); }
    /// Enables the callbacks of a function, in all of its versions: "cuMemAlloc" is cuMemAlloc_v2, too, and "cuLaunchKernel" is
    /// cuLaunchKernel_ptsz, too (cuptiEnableCallback). Throws std::invalid_argument if the installed CUPTI does not know the
    /// function, and as above.
    void enable(CallbackDomain domain, std::string_view function) { set(domain, function, true); }
    /// Disables the callbacks of all functions of a domain. Throws as enable() does.
    void disable(CallbackDomain domain) { set(domain, {}, false); }
    /// Disables the callbacks of a function. Throws as enable() does.
    void disable(CallbackDomain domain, std::string_view function) { set(domain, function, false); }

    /// Unsubscribes, and throws the first exception of the handler, or Error. Does nothing if it was called before. Callbacks
    /// that other threads are within may still be running; CUPTI makes no more of them.
    void close();

private:
    struct State;

    void set(CallbackDomain domain, std::optional<std::string_view> function, bool is_enabled);

    State* state_ = nullptr;
};

}  // namespace CUBIND_NAMESPACE::profile
