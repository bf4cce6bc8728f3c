// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/device_runtime.hpp"

#include <cstring>

#include "ptx/run/launch_tree.hpp"
#include "ptx/text/syntax.hpp"
#include "shared/round_up.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::uint64_t legacy_stream = 1;
constexpr std::uint64_t per_thread_stream = 2;
constexpr unsigned non_blocking = 1;    // cudaStreamNonBlocking; an H200 also accepts cudaStreamDefault, 0
constexpr unsigned disable_timing = 2;  // cudaEventDisableTiming, which events of kernels require

std::size_t parameter_bytes_of(const Function& kernel) {
    std::size_t bytes = 0;
    for (const LocalVariable& each : kernel.prototype.parameters) bytes = round_up(bytes, each.alignment) + each.size;
    return bytes;
}

struct ErrorText {
    DeviceError error;
    const char* name;
    const char* text;
};

constexpr ErrorText error_texts[] = {
    {DeviceError::none, "cudaSuccess", "no error"},
    {DeviceError::invalid_value, "cudaErrorInvalidValue", "an argument is invalid"},
    {DeviceError::memory_allocation, "cudaErrorMemoryAllocation", "the heap of kernels has too little memory left"},
    {DeviceError::invalid_configuration, "cudaErrorInvalidConfiguration", "the shape of a launch exceeds a limit"},
    {DeviceError::invalid_memcpy_direction, "cudaErrorInvalidMemcpyDirection", "a kernel cannot copy from host to host"},
    {DeviceError::pending_count_exceeded, "cudaErrorLaunchPendingCountExceeded",
     "too many launches have not begun (cudaLimitDevRuntimePendingLaunchCount)"},
    {DeviceError::invalid_device_function, "cudaErrorInvalidDeviceFunction", "the function is not a kernel"},
    {DeviceError::invalid_device, "cudaErrorInvalidDevice", "the device does not exist"},
    {DeviceError::invalid_resource_handle, "cudaErrorInvalidResourceHandle",
     "the stream or the event does not exist in this grid"},
};
constexpr const char* unknown_error = "unrecognized error code";

bool find_text(std::uint64_t address, MemoryRange& range) {
    const auto is_found = [&](const char* text) {
        range = {
            .begin = reinterpret_cast<std::uint64_t>(text), .size = std::strlen(text) + 1, .is_read_only = true, .owner = {}};
        return range.contains(address, 1);
    };
    for (const ErrorText& each : error_texts) {
        if (is_found(each.name) || is_found(each.text)) return true;
    }
    return is_found(unknown_error);
}

}  // namespace

const char* name_of(DeviceError error) noexcept {
    for (const ErrorText& each : error_texts) {
        if (each.error == error) return each.name;
    }
    return unknown_error;
}

const char* describe(DeviceError error) noexcept {
    for (const ErrorText& each : error_texts) {
        if (each.error == error) return each.text;
    }
    return unknown_error;
}

DeviceRuntimeHost& DeviceRuntime::host() const noexcept {
    return tree_.host;
}

std::uint64_t DeviceRuntime::prepare(const CallingThread& thread, std::uint64_t function, Extent3 grid, Extent3 block,
                                     std::size_t shared) {
    const std::lock_guard lock(tree_.mutex);
    auto task = std::make_unique<DeviceTask>();
    const DeviceError error = complete_request(task->request, function, grid, block, shared);
    if (error != DeviceError::none) return static_cast<void>(store(thread, error)), 0;
    const Function& kernel = *task->request.code->function_at(function);
    return add_buffer(thread, std::move(task), parameter_bytes_of(kernel));
}

std::uint64_t DeviceRuntime::prepare(const CallingThread& thread, std::size_t bytes) {
    constexpr std::size_t max_bytes = 32764;  // limit of the parameters of any kernel
    const std::lock_guard lock(tree_.mutex);
    if (bytes > max_bytes) return static_cast<void>(store(thread, DeviceError::invalid_value)), 0;
    return add_buffer(thread, std::make_unique<DeviceTask>(), bytes);
}

std::uint64_t DeviceRuntime::add_buffer(const CallingThread& thread, std::unique_ptr<DeviceTask> task, std::size_t bytes) {
    task->parameters = std::make_shared<AlignedBytes>(bytes);
    if (bytes != 0) std::memset(task->parameters->data(), 0, bytes);
    const auto address = reinterpret_cast<std::uint64_t>(task->parameters->data());
    if (!tree_.add_pending()) return static_cast<void>(store(thread, DeviceError::pending_count_exceeded)), 0;
    task->is_launch = true;
    prepared_[address] = std::move(task);
    return address;
}

DeviceError DeviceRuntime::complete_request(GridRequest& request, std::uint64_t function, Extent3 grid, Extent3 block,
                                            std::size_t shared) {
    request = grid_.task->request;
    const Function* const kernel = request.code->function_at(function);
    if (kernel == nullptr || !kernel->is_kernel || !kernel->is_defined) return DeviceError::invalid_device_function;
    request.code = request.code->find_kernel(kernel->name);
    request.kernel = &request.code->kernel();
    request.grid = grid;
    request.block = block;
    request.dynamic_shared_bytes = shared;
    request.parameters = {};
    request.is_cooperative = false;
    return tree_.host.check(request) ? DeviceError::none : DeviceError::invalid_configuration;
}

DeviceError DeviceRuntime::set_kernel(const CallingThread& thread, std::uint64_t buffer, std::uint64_t function, Extent3 grid,
                                      Extent3 block, std::size_t shared) {
    const std::lock_guard lock(tree_.mutex);
    const auto found = prepared_.find(buffer);
    if (found == prepared_.end()) return store(thread, DeviceError::invalid_value);
    DeviceTask& task = *found->second;
    const DeviceError error = complete_request(task.request, function, grid, block, shared);
    if (error != DeviceError::none) return store(thread, error);
    const Function& kernel = *task.request.code->function_at(function);
    return parameter_bytes_of(kernel) <= task.parameters->size() ? DeviceError::none : store(thread, DeviceError::invalid_value);
}

DeviceError DeviceRuntime::launch(const CallingThread& thread, std::uint64_t buffer, std::uint64_t stream) {
    const std::lock_guard lock(tree_.mutex);
    const auto found = prepared_.find(buffer);
    if (found == prepared_.end() || found->second->request.code == nullptr) return store(thread, DeviceError::invalid_value);
    std::unique_ptr<DeviceTask> task = std::move(found->second);
    prepared_.erase(found);
    GridRequest& request = task->request;
    request.parameters = {task->parameters->data(), task->parameters->size()};
    if (auto body = tree_.host.find_body(request)) {
        task->operation = [body = std::move(body), &request] { return body(request); };
    }
    const DeviceError error = submit(thread, std::move(task), stream);
    if (error != DeviceError::none) tree_.remove_pending();
    return store(thread, error);
}

DeviceError DeviceRuntime::submit(const CallingThread& thread, std::function<GridResult()> operation, std::uint64_t stream) {
    const std::lock_guard lock(tree_.mutex);
    auto task = std::make_unique<DeviceTask>();
    task->operation = std::move(operation);
    return store(thread, submit(thread, std::move(task), stream));
}

DeviceError DeviceRuntime::submit(const CallingThread& thread, std::unique_ptr<DeviceTask> task, std::uint64_t stream) {
    if (stream == tail_launch) {
        grid_.tails.push_back(std::move(task));
        return DeviceError::none;
    }
    auto work = std::make_shared<DeviceWork>();
    work->parent = &grid_;
    work->task = std::move(task);
    if (stream != fire_and_forget) {
        Stream* const order = find_stream(thread, stream);
        if (order == nullptr) return DeviceError::invalid_resource_handle;
        order->events.push_back(std::move(order->last));
        for (const std::shared_ptr<DeviceWork>& each : order->events) {
            if (each == nullptr || each->is_complete) continue;
            each->followers.push_back(work);
            ++work->waits;
        }
        order->events.clear();
        order->last = work;
    }
    ++grid_.open;
    tree_.submit(work);
    return DeviceError::none;
}

DeviceRuntime::Stream* DeviceRuntime::find_stream(const CallingThread& thread, std::uint64_t stream) {
    if (stream == 0 || stream == legacy_stream) return &block_streams_[thread.block];
    if (stream == per_thread_stream) return &thread_streams_[thread];
    const auto found = streams_.find(stream);
    return found != streams_.end() ? &found->second : nullptr;
}

DeviceError DeviceRuntime::create_stream(const CallingThread& thread, unsigned flags, std::uint64_t& stream) {
    const std::lock_guard lock(tree_.mutex);
    if ((flags & ~non_blocking) != 0) return store(thread, DeviceError::invalid_value);
    stream = tree_.new_handle();
    streams_[stream];
    return DeviceError::none;
}

DeviceError DeviceRuntime::destroy_stream(const CallingThread& thread, std::uint64_t stream) {
    const std::lock_guard lock(tree_.mutex);
    return store(thread, streams_.erase(stream) != 0 ? DeviceError::none : DeviceError::invalid_resource_handle);
}

DeviceError DeviceRuntime::create_event(const CallingThread& thread, unsigned flags, std::uint64_t& event) {
    const std::lock_guard lock(tree_.mutex);
    if ((flags & disable_timing) == 0) return store(thread, DeviceError::invalid_value);
    event = tree_.new_handle();
    events_[event];
    return DeviceError::none;
}

DeviceError DeviceRuntime::destroy_event(const CallingThread& thread, std::uint64_t event) {
    const std::lock_guard lock(tree_.mutex);
    return store(thread, events_.erase(event) != 0 ? DeviceError::none : DeviceError::invalid_resource_handle);
}

DeviceError DeviceRuntime::record(const CallingThread& thread, std::uint64_t event, std::uint64_t stream) {
    const std::lock_guard lock(tree_.mutex);
    const auto found = events_.find(event);
    const Stream* const order = find_stream(thread, stream);
    if (found == events_.end() || order == nullptr) return store(thread, DeviceError::invalid_resource_handle);
    found->second = order->last;
    return DeviceError::none;
}

DeviceError DeviceRuntime::wait(const CallingThread& thread, std::uint64_t stream, std::uint64_t event) {
    const std::lock_guard lock(tree_.mutex);
    const auto found = events_.find(event);
    Stream* const order = find_stream(thread, stream);
    if (found == events_.end() || order == nullptr) return store(thread, DeviceError::invalid_resource_handle);
    order->events.push_back(found->second);
    return DeviceError::none;
}

DeviceError DeviceRuntime::set_error(const CallingThread& thread, DeviceError error) {
    if (error == DeviceError::none) return error;
    const std::lock_guard lock(tree_.mutex);
    return store(thread, error);
}

DeviceError DeviceRuntime::store(const CallingThread& thread, DeviceError error) {
    if (error != DeviceError::none) errors_[thread] = error;
    return error;
}

DeviceError DeviceRuntime::last_error(const CallingThread& thread, bool is_reset) {
    const std::lock_guard lock(tree_.mutex);
    const auto found = errors_.find(thread);
    if (found == errors_.end()) return DeviceError::none;
    const DeviceError error = found->second;
    if (is_reset) errors_.erase(found);
    return error;
}

bool DeviceRuntime::find(std::uint64_t address, MemoryRange& range) {
    const std::lock_guard lock(tree_.mutex);
    const auto after = prepared_.upper_bound(address);
    if (after != prepared_.begin()) {
        const auto& [begin, task] = *std::prev(after);
        range = {.begin = begin, .size = task->parameters->size(), .owner = task->parameters};
        if (range.contains(address, 1)) return true;
    }
    return find_text(address, range);
}

void DeviceRuntime::clear() {
    for (std::size_t i = 0; i < prepared_.size(); ++i) tree_.remove_pending();
    prepared_.clear();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
