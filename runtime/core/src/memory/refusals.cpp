// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/refusals.hpp"

#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/device.hpp>

#include <cstdio>

#include "calls/driver.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

std::string hexadecimal(driver::CUdeviceptr address) {
    char text[24];
    std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(address));
    return text;
}

// Adds nothing if the query fails.
void append_memory_of(Device device, std::string& text) {
    try {
        const auto [free, total] = device.memory_info();
        text.append("; device ").append(std::to_string(device.ordinal())).append(" has ").append(std::to_string(free));
        text.append(" of ").append(std::to_string(total)).append(" bytes free");
    } catch (const std::exception&) {
    }
}

std::string advice_on_reach(const PointerAttributes& memory, StreamRef stream) {
    if (memory.kind != MemoryType::device || !memory.device || memory.device_pointer != 0) return {};
    const int reaching = stream.device().ordinal();
    const std::string text = concat(", which device ", reaching, " cannot access without ");
    if (memory.pool != nullptr) return concat(text, "allow_peer_access(Device(", reaching, ")) of its pool");
    if (!memory.context) return concat(text, "a permission from its allocation, such as VirtualMemoryResourceOptions::peers");
    return concat(text, "Device(", reaching, ").enable_peer_access(Device(", memory.device->ordinal(), "))");
}

// Memory without a device is managed memory or memory of the host.
std::string advice_on_capture(driver::CUresult status, StreamRef stream, std::optional<Device> device) {
    const bool is_refused = status == driver::CUDA_ERROR_NOT_SUPPORTED || status == driver::CUDA_ERROR_INVALID_VALUE;
    if (!is_refused || device || !StreamAccess::may_be_capturing(stream)) return {};
    try {
        if (!stream.is_capturing()) return {};
    } catch (const Error&) {
        return {};
    }
    return "The stream is being captured, and a graph can allocate memory of devices only. Allocate managed and pinned memory "
           "before the capture, and use it in the capture.";
}

bool is_more_than(std::optional<Device> device, std::size_t size) {
    if (!device) return false;
    const auto total = driver::cuDeviceTotalMem(device->native_handle());
    return total.ok() && size > total.value;
}

}  // namespace

std::string bytes_at(std::size_t size, driver::CUdeviceptr address) {
    return std::to_string(size).append(" bytes at ").append(hexadecimal(address));
}

void check_alignment(std::size_t alignment) {
    constexpr std::size_t max_alignment = std::size_t{1} << 31;  // Buffer stores it in 32 bits
    if (alignment == 0 || (alignment & (alignment - 1)) != 0)
        throw_misuse("an alignment of ", alignment, " bytes is not a power of two");
    if (alignment > max_alignment) throw_misuse("an alignment of ", alignment, " bytes is more than ", max_alignment);
}

void throw_not_aligned_by_driver(std::size_t alignment) {
    throw_misuse("cannot allocate memory with an alignment of ", alignment, " bytes: the driver guarantees at most ",
                 MemoryResourceBase::default_alignment, "; allocate more bytes and use an aligned part of them");
}

void throw_not_supported(const char* function, const std::string& text) {
    throw Error("driver", function, driver::CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", text);
}

void throw_not_allocated(Result<driver::CUresult, driver::CUdeviceptr> failure, std::size_t size, StreamRef stream,
                         std::optional<Device> device, const std::string& room) {
    try {
        detail::check_latest(failure);
    } catch (const Error& error) {
        const bool is_too_much = failure.status == driver::CUDA_ERROR_OUT_OF_MEMORY || is_more_than(device, size);
        if (!is_too_much) {
            std::string advice = advice_on_context(failure.status, stream);
            if (advice.empty()) advice = advice_on_capture(failure.status, stream, device);
            if (advice.empty()) throw;
            throw Error(error, advice);
        }
        std::string text = std::to_string(size).append(" bytes were requested");
        if (!room.empty()) text.append("; ").append(room);
        if (device) append_memory_of(*device, text);
        throw OutOfMemory(error, text);
    }
    throw_misuse("the allocation did not fail");
}

std::string describe(const std::string& role, const MemoryView& memory, std::optional<StreamRef> stream) {
    std::string text = concat(role, ", ", bytes_at(memory.size, memory.address), ", ");
    try {
        std::optional<StreamScope> scope;
        if (stream) scope.emplace(*stream);
        const auto found = PointerAttributes::of(memory.address);
        if (found.kind == MemoryType::unregistered) return text.append("is pageable host memory or not mapped");
        text.append("lies in ");
        const bool is_host = found.kind == MemoryType::host;
        text.append(is_host ? "pinned" : found.kind == MemoryType::managed ? "managed" : "device").append(" memory");
        if (found.device) text.append(" of device ").append(std::to_string(found.device->ordinal()));
        text.append(": ").append(bytes_at(found.allocation_size, found.allocation));
        return stream ? text.append(advice_on_reach(found, *stream)) : text;
    } catch (const std::exception&) {
        return text.append("about which the driver reports nothing");
    }
}

}  // namespace CUBIND_NAMESPACE::detail
