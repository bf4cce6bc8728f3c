// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Records of what the simulated driver does: it tells the stand-in its calls and its work.
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/simulated_activity.hpp"
#include "stand_in_state.hpp"
#include "unlimited_memory.hpp"

namespace cubind::testing::cupti_stand_in {

using namespace cupti;
using sim::ActivityMemory;
using sim::SimulatedActivity;

namespace {

constexpr std::size_t sizes = sizeof(sim::SimulatedObserver) + sizeof(SimulatedActivity);

std::uint8_t memory_kind(ActivityMemory memory) {
    switch (memory) {
        case ActivityMemory::pageable:
            return CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
        case ActivityMemory::pinned:
            return CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
        case ActivityMemory::device:
            return CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
        case ActivityMemory::managed:
            return CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
    }
    return CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
}

std::uint8_t copy_kind(ActivityMemory from, ActivityMemory to) {
    const auto is_host = [](ActivityMemory memory) {
        return memory == ActivityMemory::pageable || memory == ActivityMemory::pinned;
    };
    if (is_host(from)) return is_host(to) ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOH : CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    return is_host(to) ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOH : CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
}

template <class Record>
Record device_record(CUpti_ActivityKind kind, const SimulatedActivity& activity) {
    Record record{};
    record.kind = kind;
    record.start = activity.start;
    record.end = activity.end;
    record.deviceId = activity.device;
    record.contextId = activity.context;
    record.streamId = activity.stream;
    record.correlationId = activity.call;
    return record;
}

void add_kernel(const SimulatedActivity& activity) {
    auto record = device_record<CUpti_ActivityKernel9>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, activity);
    record.name = keep(activity.name);
    record.gridX = static_cast<std::int32_t>(activity.grid[0]);
    record.gridY = static_cast<std::int32_t>(activity.grid[1]);
    record.gridZ = static_cast<std::int32_t>(activity.grid[2]);
    record.blockX = static_cast<std::int32_t>(activity.block[0]);
    record.blockY = static_cast<std::int32_t>(activity.block[1]);
    record.blockZ = static_cast<std::int32_t>(activity.block[2]);
    record.registersPerThread = static_cast<std::uint16_t>(activity.registers);
    record.staticSharedMemory = static_cast<std::int32_t>(activity.static_shared_bytes);
    record.dynamicSharedMemory = static_cast<std::int32_t>(activity.dynamic_shared_bytes);
    add(record);
}

void add_copy(const SimulatedActivity& activity) {
    auto record = device_record<CUpti_ActivityMemcpy5>(CUPTI_ACTIVITY_KIND_MEMCPY, activity);
    record.bytes = activity.bytes;
    record.copyKind = copy_kind(activity.from, activity.to);
    record.srcKind = memory_kind(activity.from);
    record.dstKind = memory_kind(activity.to);
    add(record);
}

void add_fill(const SimulatedActivity& activity) {
    auto record = device_record<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET, activity);
    record.bytes = activity.bytes;
    record.value = activity.value;
    record.memoryKind = memory_kind(activity.to);
    add(record);
}

void add_synchronization(const SimulatedActivity& activity) {
    const std::string_view name = activity.name;
    CUpti_ActivitySynchronization record{};
    record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    if (name.starts_with("cuStreamSynchronize"))
        record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
    else if (name.starts_with("cuCtxSynchronize"))
        record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
    else if (name.starts_with("cuEventSynchronize"))
        record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
    else
        return;
    record.start = activity.start;
    record.end = activity.end;
    record.correlationId = activity.call;
    add(record);
}

void add_call(const SimulatedActivity& activity) {
    CUpti_ActivityAPI record{};
    record.kind = CUPTI_ACTIVITY_KIND_DRIVER;
    record.cbid = driver_function(activity.name);
    record.start = activity.start;
    record.end = activity.end;
    record.processId = static_cast<std::uint32_t>(::getpid());
    record.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    record.correlationId = activity.call;
    record.returnValue = activity.result;
    add(record);
    add_synchronization(activity);
}

void notify(const char* name, std::uint32_t call, CUpti_ApiCallbackSite site, std::uint32_t* result) {
    std::uint64_t data_of_call = 0;
    CUpti_CallbackData data{};
    data.callbackSite = site;
    data.functionName = name;
    data.functionReturnValue = result;
    data.correlationData = &data_of_call;
    data.correlationId = call;
    cupti_stand_in::notify(CUPTI_CB_DOMAIN_DRIVER_API, driver_function(name), data);
}

void call_begins(const char* name, std::uint32_t call) noexcept {
    const UnlimitedMemory memory;
    notify(name, call, CUPTI_API_ENTER, nullptr);
}

void ended(const SimulatedActivity& activity) noexcept {
    const UnlimitedMemory memory;
    std::uint32_t result = activity.result;
    switch (activity.kind) {
        case sim::ActivityKind::call:
            notify(activity.name, activity.call, CUPTI_API_EXIT, &result);
            return add_call(activity);
        case sim::ActivityKind::kernel:
            return add_kernel(activity);
        case sim::ActivityKind::copy:
            return add_copy(activity);
        case sim::ActivityKind::fill:
            return add_fill(activity);
    }
}

constexpr sim::SimulatedObserver observer{call_begins, ended};

}  // namespace

void observe_loaded_driver() {
    void* const library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) return;
    if (void* const set = ::dlsym(library, sim::simulated_observer_symbol))
        reinterpret_cast<sim::SimulatedObserverSetter*>(set)(&observer, sizes);
}

bool observe(sim::SimulatedObserverSetter* set) {
    return set(&observer, sizes) == 0;
}

}  // namespace cubind::testing::cupti_stand_in
