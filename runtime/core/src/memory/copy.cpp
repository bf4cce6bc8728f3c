// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/copy.hpp>

#include <cubind/core/buffer.hpp>
#include <cubind/driver/memory.hpp>

#include "memory/refusals.hpp"
#include "support/driver.hpp"

namespace cubind::detail {
namespace {

[[noreturn]] void throw_too_small(const MemoryView& destination, const MemoryView& source) {
    throw_misuse("a copy of ", source.size, " bytes to a destination of ", destination.size,
                 ": it has to be at least as large; copy a part, by a std::span of it");
}

[[noreturn]] void throw_not_copied(Result<driver::CUresult> failure, StreamRef stream, const MemoryView& destination,
                                   const MemoryView& source) {
    std::string advice = advice_on_context(failure, stream);
    if (failure.status == driver::CUDA_ERROR_INVALID_VALUE) {
        advice = describe("the destination", destination).append("; ").append(describe("the source", source));
    }
    throw_with_advice(failure, advice);
}

}  // namespace

MemoryView view_of(const Buffer& buffer) {
    return {buffer.native_handle(), buffer.size(), &buffer};
}

void copy(StreamRef stream, const MemoryView& destination, const MemoryView& source) {
    const driver::CUstream handle = stream.native_handle();
    if (source.size > destination.size) [[unlikely]] throw_too_small(destination, source);
    if (source.size == 0) return;
    if (stream.keeper() != nullptr) {
        if (destination.buffer != nullptr) keep_for_capture(stream, *destination.buffer);
        if (source.buffer != nullptr) keep_for_capture(stream, *source.buffer);
    }
    const auto copied = driver::cuMemcpyAsync(destination.address, source.address, source.size, handle);
    if (!copied.ok()) [[unlikely]] throw_not_copied(copied, stream, destination, source);
}

}  // namespace cubind::detail
