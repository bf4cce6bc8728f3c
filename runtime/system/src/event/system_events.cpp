// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/events.hpp>
#include <cubind/system/system_events.hpp>

#include <limits>
#include <string>
#include <utility>

#include "event/timeout.hpp"
#include "support/checked.hpp"
#include "support/session.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

namespace {

Result<nvml::nvmlReturn_t> free_set(nvml::nvmlSystemEventSet_t set) {
    nvml::nvmlSystemEventSetFreeRequest_t request{};
    request.set = set;
    return nvml::nvmlSystemEventSetFree(&request);
}

}  // namespace

SystemEvents::SystemEvents(Flags<SystemEventType> types) {
    detail::initialize();
    set_ = checked(nvml::nvmlSystemEventSetCreate(nvml::nvmlSystemEventSetCreateRequest_t{})).set;
    nvml::nvmlSystemRegisterEventRequest_t request{};
    request.eventTypes = types.bits();
    request.set = set_;
    try {
        checked(nvml::nvmlSystemRegisterEvents(&request));
    } catch (...) {
        (void)free_set(set_);
        throw;
    }
}

SystemEvents::~SystemEvents() {
    if (set_ != nullptr) (void)free_set(set_);
}

SystemEvents::SystemEvents(SystemEvents&& other) noexcept : set_(std::exchange(other.set_, nullptr)) {}

SystemEvents& SystemEvents::operator=(SystemEvents&& other) noexcept {
    SystemEvents old(std::move(*this));
    set_ = std::exchange(other.set_, nullptr);
    return *this;
}

std::vector<SystemEvent> SystemEvents::wait(std::chrono::milliseconds timeout, std::size_t max_count) {
    detail::check_open(is_closed(), "SystemEvents");
    if (max_count == 0) throw std::invalid_argument("wait() for 0 events returns none: pass a greater max_count");
    if (constexpr auto limit = std::numeric_limits<unsigned int>::max(); max_count > limit) {
        throw std::invalid_argument("wait() for " + std::to_string(max_count) + " events exceeds the limit of NVML, which is " +
                                    std::to_string(limit) + ": pass a smaller max_count");
    }
    std::vector<nvml::nvmlSystemEventData_v1_t> found(max_count);
    nvml::nvmlSystemEventSetWaitRequest_t request{};
    request.timeoutms = detail::milliseconds_of(timeout);
    request.set = set_;
    request.data = found.data();
    request.dataSize = static_cast<unsigned int>(max_count);
    auto result = nvml::nvmlSystemEventSetWait(request);
    if (result.status == nvml::NVML_ERROR_TIMEOUT) return {};
    found.resize(std::min<std::size_t>(checked(std::move(result)).numEvent, max_count));
    std::vector<SystemEvent> events;
    for (const nvml::nvmlSystemEventData_v1_t& each : found) {
        events.push_back({static_cast<SystemEventType>(each.eventType), each.gpuId});
    }
    return events;
}

void SystemEvents::close() {
    if (set_ != nullptr) checked(free_set(std::exchange(set_, nullptr)));
}

}  // namespace CUBIND_NAMESPACE::system
