// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cupti/callback.hpp>
#include <cubind/profile/callbacks.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "checked.hpp"
#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "platform/dynamic_library.hpp"
#include "platform/process.hpp"

namespace CUBIND_NAMESPACE::profile {

using namespace cupti;
using cubind::detail::throw_misuse;
using detail::checked;

/// What CUPTI passes to each callback. A thread may be about to begin a callback while the subscriber is closed, so that a state
/// is never freed; its handler is.
struct Callbacks::State {
    CallbackHandler handler;
    CUpti_SubscriberHandle subscriber = nullptr;
    int process = cubind::detail::process_id();
    std::atomic<int> running = 0;  // callbacks
    std::atomic<bool> is_closed = false;
    std::mutex mutex = {};
    std::exception_ptr first_exception = {};

    static State& create(CallbackHandler handler);
    static void call(void* state, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);
    void handle(const CallbackEvent& event) noexcept;
    /// Waits for callbacks of other threads, and frees the handler.
    void end() noexcept;
};

namespace {

thread_local int own_callbacks = 0;  // callbacks that the thread is within

bool is_launch(std::string_view function) {
    return function.find("LaunchKernel") != function.npos || function.find("LaunchCooperativeKernel") != function.npos;
}

CallbackEvent event_of(CallbackDomain domain, std::uint32_t id, const void* data) {
    CallbackEvent event{.domain = domain, .id = id, .native = data};
    if (domain == CallbackDomain::nvtx) {
        const auto& call = *static_cast<const CUpti_NvtxData*>(data);
        if (call.functionName != nullptr) event.name = call.functionName;
        return event;
    }
    if (domain != CallbackDomain::driver && domain != CallbackDomain::runtime) return event;
    const auto& call = *static_cast<const CUpti_CallbackData*>(data);
    event.site = call.callbackSite == CUPTI_API_ENTER ? CallbackSite::enter : CallbackSite::exit;
    if (call.functionName != nullptr) event.name = call.functionName;
    if (is_launch(event.name)) event.kernel = call.symbolName;
    event.correlation_id = call.correlationId;
    event.slot = call.correlationData;
    event.arguments = call.functionParams;
    if (event.site == CallbackSite::exit) event.returned = call.functionReturnValue;
    return event;
}

// Returns whether a name of CUPTI is the function in any version: "cuMemAlloc_v2" and "cudaLaunchKernel_ptsz_v7000" are.
bool is_version_of(std::string_view name, std::string_view function) {
    if (!name.starts_with(function)) return false;
    name.remove_prefix(function.size());
    while (!name.empty()) {
        if (name.starts_with("_ptsz") || name.starts_with("_ptds")) {
            name.remove_prefix(5);
        } else if (name.starts_with("_v") && name.size() > 2) {
            const std::size_t end = name.find_first_not_of("0123456789", 2);
            if (end == 2) return false;
            name.remove_prefix(std::min(end, name.size()));
        } else {
            return false;
        }
    }
    return true;
}

// Returns CUPTI's numbers of a function. The numbers have gaps, and no function says how many there are.
std::vector<CUpti_CallbackId> ids_of(CUpti_CallbackDomain domain, std::string_view function) {
    constexpr std::uint32_t max_gap = 64;
    std::vector<CUpti_CallbackId> ids;
    for (std::uint32_t id = 1, gap = 0; gap < max_gap; ++id) {
        const auto name = cuptiGetCallbackName(domain, id);
        const bool is_known = name.ok() && name.value != nullptr;
        gap = is_known ? 0 : gap + 1;
        if (is_known && is_version_of(name.value, function)) ids.push_back(id);
    }
    return ids;
}

}  // namespace

Callbacks::State& Callbacks::State::create(CallbackHandler handler) {
    static std::mutex mutex;
    using States = std::vector<std::unique_ptr<State>>;
    static auto& all = (cubind::detail::keep_library_of(reinterpret_cast<const void*>(call)), *new States);
    auto state = std::make_unique<State>();
    state->handler = std::move(handler);
    const std::lock_guard lock(mutex);
    all.push_back(std::move(state));
    return *all.back();
}

void Callbacks::State::call(void* state, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    State& self = *static_cast<State*>(state);
    self.running.fetch_add(1);
    if (!self.is_closed.load()) {
        ++own_callbacks;
        self.handle(event_of(static_cast<CallbackDomain>(domain), id, data));
        --own_callbacks;
    }
    self.running.fetch_sub(1);
}

void Callbacks::State::handle(const CallbackEvent& event) noexcept {
    try {
        handler(event);
    } catch (...) {
        const std::lock_guard lock(mutex);
        if (first_exception == nullptr) first_exception = std::current_exception();
    }
}

void Callbacks::State::end() noexcept {
    is_closed = true;
    if (own_callbacks > 0 || process != cubind::detail::process_id()) return;  // the handler itself closes its subscriber
    while (running.load() > 0) std::this_thread::yield();
    handler = nullptr;
}

Callbacks::Callbacks(CallbackHandler handler) {
    if (handler == nullptr) throw_misuse("Callbacks: the handler is empty; pass a function that receives the callbacks");
    State& state = State::create(std::move(handler));
    try {
        state.subscriber = checked(cuptiSubscribe(State::call, &state), "subscribe to callbacks");
    } catch (...) {
        state.end();
        throw;
    }
    state_ = &state;
}

Callbacks::Callbacks(Callbacks&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}

Callbacks& Callbacks::operator=(Callbacks&& other) noexcept {
    if (this != &other) {
        const Callbacks previous(std::move(*this));
        state_ = std::exchange(other.state_, nullptr);
    }
    return *this;
}

Callbacks::~Callbacks() {
    try {
        close();
    } catch (const std::exception& error) {
        cubind::detail::report_cleanup_failure("close callbacks of CUPTI", error.what());
    } catch (...) {
        cubind::detail::report_cleanup_failure("close callbacks of CUPTI", "the handler has thrown an exception");
    }
}

void Callbacks::close() {
    if (state_ == nullptr) return;
    State& state = *std::exchange(state_, nullptr);
    const bool is_copy = state.process != cubind::detail::process_id();  // CUPTI works in the parent of fork() only
    const auto unsubscribed = is_copy ? Result<CUptiResult>{CUPTI_SUCCESS} : cuptiUnsubscribe(state.subscriber);
    state.end();
    if (const std::lock_guard lock(state.mutex); state.first_exception != nullptr)
        std::rethrow_exception(std::exchange(state.first_exception, nullptr));
    checked(unsubscribed, "end a subscription");
}

void Callbacks::set(CallbackDomain domain, std::optional<std::string_view> function, bool is_enabled) {
    if (state_ == nullptr) throw_misuse("Callbacks: the subscriber was closed or moved from; create another one");
    const char* const action = is_enabled ? "enable callbacks" : "disable callbacks";
    const auto native = static_cast<CUpti_CallbackDomain>(domain);
    if (!function) return checked(cuptiEnableDomain(is_enabled ? 1 : 0, state_->subscriber, native), action);
    const std::vector<CUpti_CallbackId> ids = ids_of(native, *function);
    if (ids.empty()) {
        throw_misuse("Callbacks: the installed CUPTI knows no function \"", *function,
                     "\" of this domain; names are those of the libraries, "
                     "such as cuLaunchKernel of the driver and cudaMalloc of the runtime library");
    }
    for (const CUpti_CallbackId id : ids)
        checked(cuptiEnableCallback(is_enabled ? 1 : 0, state_->subscriber, native, id), action);
}

}  // namespace CUBIND_NAMESPACE::profile
