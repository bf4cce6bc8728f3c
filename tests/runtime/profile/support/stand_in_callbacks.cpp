// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cupti/strings.hpp>

#include <cstdio>
#include <cstring>
#include <string_view>

#include "stand_in_state.hpp"
#include "unlimited_memory.hpp"

namespace cubind::testing::cupti_stand_in {

using namespace cupti;

namespace {

constexpr std::string_view driver_prefix = "CUPTI_DRIVER_TRACE_CBID_", runtime_prefix = "CUPTI_RUNTIME_TRACE_CBID_";

// Returns the name of a function of the driver or the runtime library, or null.
const char* name_of(CUpti_CallbackDomain domain, std::uint32_t cbid) {
    const bool is_driver = domain == CUPTI_CB_DOMAIN_DRIVER_API;
    if (cbid == 0 || (!is_driver && domain != CUPTI_CB_DOMAIN_RUNTIME_API)) return nullptr;
    const char* const name = is_driver ? to_string(static_cast<CUpti_driver_api_trace_cbid>(cbid))
                                       : to_string(static_cast<CUpti_runtime_api_trace_cbid>(cbid));
    const std::string_view prefix = is_driver ? driver_prefix : runtime_prefix;
    return std::string_view(name).starts_with(prefix) ? name + prefix.size() : nullptr;
}

CUpti_CallbackId count_of(CUpti_CallbackDomain domain) {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) return CUPTI_DRIVER_TRACE_CBID_SIZE;
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) return CUPTI_RUNTIME_TRACE_CBID_SIZE;
    return 256;
}

// Needs the lock.
bool is_subscriber(CUpti_SubscriberHandle handle) {
    const State& all = state();
    return all.subscriber != nullptr && static_cast<void*>(all.subscriber) == static_cast<void*>(handle);
}

void enable(State::Subscriber& subscriber, bool is_enabled, CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
    const UnlimitedMemory memory;
    if (is_enabled)
        subscriber.callbacks.emplace(domain, cbid);
    else
        subscriber.callbacks.erase({domain, cbid});
}

CUptiResult subscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* data) {
    if (handle == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    const UnlimitedMemory memory;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (all.subscriber != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    all.subscriber = new State::Subscriber{callback, data, {}};
    *handle = reinterpret_cast<CUpti_SubscriberHandle>(all.subscriber);
    return CUPTI_SUCCESS;
}

}  // namespace

CUpti_CallbackId driver_function(const char* name) {
    static const auto& numbers = *[] {
        auto* const all = new std::map<std::string_view, CUpti_CallbackId>;
        for (CUpti_CallbackId each = 1; each < CUPTI_DRIVER_TRACE_CBID_SIZE; ++each) {
            if (const char* const known = name_of(CUPTI_CB_DOMAIN_DRIVER_API, each)) all->emplace(known, each);
        }
        return all;
    }();
    const auto found = numbers.find(name);
    return found != numbers.end() ? found->second : 0;
}

bool is_subscribed(CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    return all.subscriber != nullptr && all.subscriber->callbacks.contains({domain, cbid});
}

void notify(CUpti_CallbackDomain domain, CUpti_CallbackId cbid, CUpti_CallbackData& data) {
    CUpti_CallbackFunc callback = nullptr;
    void* user_data = nullptr;
    {
        State& all = state();
        const std::lock_guard lock(all.mutex);
        if (all.subscriber == nullptr || !all.subscriber->callbacks.contains({domain, cbid})) return;
        callback = all.subscriber->callback;
        user_data = all.subscriber->data;
    }
    if (callback != nullptr) callback(user_data, domain, cbid, &data);
}

void call(CUpti_CallbackDomain domain, CUpti_CallbackId cbid, const void* parameters, unsigned correlation, int result) {
    std::uint64_t data_of_call = 0;
    CUpti_CallbackData data{};
    data.callbackSite = CUPTI_API_ENTER;
    data.functionName = name_of(domain, cbid);
    data.functionParams = parameters;
    data.correlationData = &data_of_call;
    data.correlationId = correlation;
    notify(domain, cbid, data);
    data.callbackSite = CUPTI_API_EXIT;
    data.functionReturnValue = &result;
    notify(domain, cbid, data);
}

extern "C" {

#define CUBIND_STAND_IN_CALLBACK(function) [[gnu::visibility("default")]] CUptiResult function

CUBIND_STAND_IN_CALLBACK(cuptiSubscribe)(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    return subscribe(subscriber, callback, data);
}

CUBIND_STAND_IN_CALLBACK(cuptiSubscribe_v2)
(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data, CUpti_SubscriberParams* parameters) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (parameters == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    const CUptiResult status = subscribe(subscriber, callback, data);
    if (status == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && parameters->oldSubscriberName != nullptr)
        std::snprintf(parameters->oldSubscriberName, parameters->oldSubscriberSize, "stand-in");
    return status;
}

CUBIND_STAND_IN_CALLBACK(cuptiUnsubscribe)(CUpti_SubscriberHandle subscriber) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (!is_subscriber(subscriber)) return CUPTI_ERROR_INVALID_PARAMETER;
    delete std::exchange(all.subscriber, nullptr);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_CALLBACK(cuptiEnableCallback)
(std::uint32_t is_enabled, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (!is_subscriber(subscriber) || cbid >= count_of(domain)) return CUPTI_ERROR_INVALID_PARAMETER;
    enable(*all.subscriber, is_enabled != 0, domain, cbid);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_CALLBACK(cuptiEnableDomain)
(std::uint32_t is_enabled, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (!is_subscriber(subscriber) || domain <= CUPTI_CB_DOMAIN_INVALID || domain >= CUPTI_CB_DOMAIN_SIZE)
        return CUPTI_ERROR_INVALID_PARAMETER;
    for (CUpti_CallbackId each = 1; each < count_of(domain); ++each) enable(*all.subscriber, is_enabled != 0, domain, each);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_CALLBACK(cuptiGetCallbackName)(CUpti_CallbackDomain domain, std::uint32_t cbid, const char** name) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (name == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *name = name_of(domain, cbid);
    return *name != nullptr ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUBIND_STAND_IN_CALLBACK(cuptiGetVersion)(std::uint32_t* version) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (version == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *version = options().version;
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_CALLBACK(cuptiGetResultString)(CUptiResult result, const char** text) {
    if (text == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *text = to_string(result);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_CALLBACK(cuptiGetErrorMessage)(CUptiResult result, const char** text) {
    return cuptiGetResultString(result, text);
}

}  // extern "C"

}  // namespace cubind::testing::cupti_stand_in
