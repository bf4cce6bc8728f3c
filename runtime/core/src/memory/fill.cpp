// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/driver/memory.hpp>

#include <cstring>

#include "calls/driver.hpp"
#include "memory/operand_checks.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

Result<driver::CUresult> submit(driver::CUstream stream, const FillArguments& fill, driver::CUdeviceptr address) {
    const auto byte = static_cast<unsigned char>(fill.pattern);
    const auto word = static_cast<unsigned short>(fill.pattern);
    const std::size_t width = fill.memory.size / fill.pattern_size;
    if (fill.rows == 1) {
        switch (fill.pattern_size) {
            case 1:
                return driver::cuMemsetD8Async(address, byte, width, stream);
            case 2:
                return driver::cuMemsetD16Async(address, word, width, stream);
            default:
                return driver::cuMemsetD32Async(address, fill.pattern, width, stream);
        }
    }
    switch (fill.pattern_size) {
        case 1:
            return driver::cuMemsetD2D8Async(address, fill.pitch, byte, width, fill.rows, stream);
        case 2:
            return driver::cuMemsetD2D16Async(address, fill.pitch, word, width, fill.rows, stream);
        default:
            return driver::cuMemsetD2D32Async(address, fill.pitch, fill.pattern, width, fill.rows, stream);
    }
}

void check_pitch(const FillArguments& fill, const char* name, std::size_t pitch) {
    if (pitch % fill.pattern_size == 0) return;
    throw_misuse("cannot fill ", name, " that lie ", pitch, " bytes apart with a pattern of ", fill.pattern_size,
                 " bytes: ", pitch % fill.pattern_size, " bytes remain; a std::uint8_t fills rows at any pitch");
}

}  // namespace

FillArguments checked_fill(const FillArguments& fill) {
    FillArguments merged = fill;
    if (merged.rows > 1 && merged.pitch == merged.memory.size) {
        merged.memory.size *= merged.rows;
        merged.rows = 1;
    }
    if (merged.slices > 1 && merged.rows == 1 && merged.slice_pitch == merged.memory.size) {
        merged.memory.size *= merged.slices;
        merged.slices = 1;
    } else if (merged.slices > 1 && (merged.rows == 1 || merged.slice_pitch == merged.rows * merged.pitch)) {
        if (merged.rows == 1) merged.pitch = merged.slice_pitch;
        merged.rows *= merged.slices;
        merged.slices = 1;
    }
    const auto& [address, size, buffer] = merged.memory;
    const std::size_t unit = merged.pattern_size;
    if (size % unit != 0) {
        throw_misuse("cannot fill ", size, " bytes with a pattern of ", unit, " bytes: ", size % unit,
                     " bytes remain; a std::uint8_t fills any size");
    }
    if (address % unit != 0) {
        throw_misuse("cannot fill with a pattern of ", unit, " bytes from an address that is ", address % unit,
                     " bytes past a multiple of this size; a std::uint8_t fills from any address");
    }
    if (merged.rows > 1) check_pitch(merged, "rows", merged.pitch);
    if (merged.slices > 1) check_pitch(merged, "slices", merged.slice_pitch);
    return merged;
}

FillArguments fill_arguments_of(const BoxView& memory, unsigned int pattern, unsigned int pattern_size) {
    const auto& [width, height, depth] = memory.extent;
    std::size_t row = 0;
    std::size_t slice_pitch = 0;
    std::size_t all = 0;
    if (__builtin_mul_overflow(width, memory.element_size, &row) ||
        __builtin_mul_overflow(memory.rows_per_slice, memory.pitch, &slice_pitch) ||
        __builtin_mul_overflow(slice_pitch, depth, &all) || __builtin_mul_overflow(memory.pitch, height, &all)) {
        throw_misuse("cannot fill ", width, " x ", height, " x ", depth, " elements: a size is at most ", ~std::size_t{0},
                     " bytes");
    }
    if (memory.pitch < row && (height > 1 || depth > 1))
        throw_misuse("cannot fill rows of ", row, " bytes at a pitch of ", memory.pitch, " bytes: the rows would overlap");
    if (memory.rows_per_slice < height && depth > 1) {
        throw_misuse("cannot fill slices of ", height, " rows in memory with ", memory.rows_per_slice,
                     " rows per slice: the slices would overlap");
    }
    return {.memory = {memory.address, height == 0 || depth == 0 ? 0 : row, memory.buffer},
            .pattern = pattern,
            .pattern_size = pattern_size,
            .rows = height,
            .pitch = memory.pitch,
            .slices = depth,
            .slice_pitch = slice_pitch};
}

void write_element(StreamRef stream, const MemoryView& element, const void* value) {
    const std::size_t bits = element.address | element.size | 4;
    const std::size_t unit = bits & (~bits + 1);  // the largest power of two that divides the address and the size
    const auto* const bytes = static_cast<const std::byte*>(value);
    for (std::size_t begin = 0, end = 0; begin != element.size; begin = end) {
        end = begin + unit;
        while (end != element.size && std::memcmp(bytes + begin, bytes + end, unit) == 0) end += unit;
        unsigned int pattern = 0;
        std::memcpy(&pattern, bytes + begin, unit);
        fill(stream, {{element.address + begin, end - begin, element.buffer}, pattern, static_cast<unsigned int>(unit)});
    }
}

void fill(StreamRef stream, const FillArguments& arguments) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    const FillArguments merged = checked_fill(arguments);
    const MemoryView& destination = merged.memory;
    if (destination.size == 0) return;
    if (destination.buffer != nullptr) retain_for_capture(stream, *destination.buffer);
    for (std::size_t slice = 0; slice < merged.slices; ++slice) {
        const auto filled = submit(handle, merged, destination.address + slice * merged.slice_pitch);
        if (filled.ok()) [[likely]]
            continue;
        std::string advice = advice_on_context(filled.status, stream);
        if (filled.status == driver::CUDA_ERROR_INVALID_VALUE) {
            const std::size_t gaps = (merged.slices - 1) * merged.slice_pitch + (merged.rows - 1) * merged.pitch;
            advice = describe("the destination", {destination.address, gaps + destination.size, destination.buffer}, stream);
        }
        throw_with_advice(filled, advice);
    }
}

}  // namespace CUBIND_NAMESPACE::detail
