// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <cstddef>
#include <optional>
#include <string>

/// Rejects arguments of allocations, and explains what the driver has rejected. The queries for an explanation run only
/// after a failure.
namespace CUBIND_NAMESPACE::detail {

/// Throws std::invalid_argument unless the alignment is a power of two and at most 2^31.
void check_alignment(std::size_t alignment);

[[noreturn]] void throw_not_aligned_by_driver(std::size_t alignment);

/// Throws std::invalid_argument for an alignment that the driver does not guarantee.
inline void check_driver_alignment(std::size_t alignment) {
    if (alignment > MemoryResourceBase::default_alignment) [[unlikely]]
        throw_not_aligned_by_driver(alignment);
}

/// Throws an Error with CUDA_ERROR_NOT_SUPPORTED for a call of `function` that would fail on this device, without making it.
[[noreturn]] void throw_not_supported(const char* function, const std::string& text);

/// Throws the error of a failed allocation with the requested size, the free memory and `room`, which describes the resource.
/// For a size that exceeds the memory of the device, throws OutOfMemory, whatever status the driver returned.
[[noreturn]] void throw_not_allocated(Result<driver::CUresult, driver::CUdeviceptr> failure, std::size_t size, StreamRef stream,
                                      std::optional<Device> device, const std::string& room = {});

/// Returns the size and the address, such as "64 bytes at 0x7f00".
std::string bytes_at(std::size_t size, driver::CUdeviceptr address);

/// Returns whether the memory lies within the allocation that `found` describes, which contains its first byte.
inline bool is_inside(const MemoryView& memory, const PointerAttributes& found) noexcept {
    return memory.address - found.allocation + memory.size <= found.allocation_size;
}

/// Describes memory as the driver reports it, such as "the source, 64 bytes at 0x7f00, lies in device memory of device
/// 0: 32 bytes at 0x7f00". If the device of the stream cannot access it, adds the call that grants access.
std::string describe(const std::string& role, const MemoryView& memory, std::optional<StreamRef> stream = {});

}  // namespace CUBIND_NAMESPACE::detail
