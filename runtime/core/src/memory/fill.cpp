// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/driver/memory.hpp>

#include "calls/driver.hpp"
#include "memory/operand_checks.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

Result<driver::CUresult> submit(driver::CUstream stream, const FillArguments& fill) {
    const auto& [memory, pattern, pattern_size] = fill;
    const std::size_t count = memory.size / pattern_size;
    switch (pattern_size) {
        case 1:
            return driver::cuMemsetD8Async(memory.address, static_cast<unsigned char>(pattern), count, stream);
        case 2:
            return driver::cuMemsetD16Async(memory.address, static_cast<unsigned short>(pattern), count, stream);
        default:
            return driver::cuMemsetD32Async(memory.address, pattern, count, stream);
    }
}

}  // namespace

void check_fit(const FillArguments& fill) {
    const auto& [destination, pattern, pattern_size] = fill;
    if (destination.size % pattern_size != 0) {
        throw_misuse("cannot fill ", destination.size, " bytes with a pattern of ", pattern_size,
                     " bytes: ", destination.size % pattern_size, " bytes remain; a std::uint8_t fills any size");
    }
    if (destination.address % pattern_size != 0) {
        throw_misuse("cannot fill with a pattern of ", pattern_size, " bytes from an address that is ",
                     destination.address % pattern_size,
                     " bytes past a multiple of this size; a std::uint8_t fills from any address");
    }
}

void fill(StreamRef stream, const FillArguments& arguments) {
    const MemoryView& destination = arguments.memory;
    const driver::CUstream handle = StreamAccess::handle(stream);
    check_fit(arguments);
    if (destination.size == 0) return;
    if (destination.buffer != nullptr) retain_for_capture(stream, *destination.buffer);
    const auto filled = submit(handle, arguments);
    if (filled.ok()) [[likely]]
        return;
    std::string advice = advice_on_context(filled.status, stream);
    if (filled.status == driver::CUDA_ERROR_INVALID_VALUE) advice = describe("the destination", destination, stream);
    throw_with_advice(filled, advice);
}

}  // namespace CUBIND_NAMESPACE::detail
