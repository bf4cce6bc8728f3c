// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/memory_operation.hpp"

#include <chrono>
#include <thread>

namespace CUBIND_NAMESPACE::sim {

namespace {

// Synchronizes a stream that writes a value with a stream that waited for it: work that precedes the write happens before work
// that follows the wait.
std::atomic<std::uint64_t> writes{0};

// The program may change the word at any time without synchronization. This is intended and must not be reported as a
// data race.
template <class Word>
[[gnu::noinline]] __attribute__((no_sanitize("thread"))) std::uint64_t load(const std::byte* place) noexcept {
    return *reinterpret_cast<const volatile Word*>(place);
}

template <class Word>
[[gnu::noinline]] __attribute__((no_sanitize("thread"))) void store(std::byte* place, std::uint64_t value) noexcept {
    *reinterpret_cast<volatile Word*>(place) = static_cast<Word>(value);
}

template <class Signed, class Word>
bool compare(Word found, Word requested, unsigned comparison) noexcept {
    switch (comparison) {
        case CU_STREAM_WAIT_VALUE_GEQ:
            return static_cast<Signed>(static_cast<Word>(found - requested)) >= 0;
        case CU_STREAM_WAIT_VALUE_EQ:
            return found == requested;
        case CU_STREAM_WAIT_VALUE_AND:
            return (found & requested) != 0;
        default:
            return static_cast<Word>(~(found | requested)) != 0;
    }
}

}  // namespace

CUresult MemoryOperation::make(const CUstreamBatchMemOpParams& parameters, const Device& device, const MemoryMap& memory,
                               std::vector<MemoryOperation>& out) {
    MemoryOperation result;
    std::uintptr_t address = 0;
    switch (parameters.operation) {
        case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        case CU_STREAM_MEM_OP_WAIT_VALUE_64:
            result.kind_ = Kind::wait;
            result.bytes_ = parameters.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ? 8 : 4;
            result.value_ = result.bytes_ == 8 ? parameters.waitValue.value64 : parameters.waitValue.value;
            result.comparison_ = parameters.waitValue.flags;
            address = parameters.waitValue.address;
            if ((result.comparison_ & CU_STREAM_WAIT_VALUE_FLUSH) != 0) return CUDA_ERROR_NOT_SUPPORTED;
            if (result.comparison_ > CU_STREAM_WAIT_VALUE_NOR) return CUDA_ERROR_INVALID_VALUE;
            break;
        case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        case CU_STREAM_MEM_OP_WRITE_VALUE_64:
            result.bytes_ = parameters.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8 : 4;
            result.value_ = result.bytes_ == 8 ? parameters.writeValue.value64 : parameters.writeValue.value;
            address = parameters.writeValue.address;
            if (parameters.writeValue.flags != 0) return CUDA_ERROR_INVALID_VALUE;
            break;
        case CU_STREAM_MEM_OP_BARRIER:  // a stream performs its work in order anyway
            return parameters.memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
            return CUDA_ERROR_NOT_SUPPORTED;
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (address % result.bytes_ != 0) return CUDA_ERROR_INVALID_VALUE;
    const Access access = {&device, result.kind_ == Kind::write};
    if (const CUresult status = find_operand(memory, Side::device, address, result.bytes_, access, result.place_)) return status;
    if (result.place_.allocation->kind == MemoryKind::managed) return CUDA_ERROR_INVALID_VALUE;
    out.push_back(std::move(result));
    return CUDA_SUCCESS;
}

bool MemoryOperation::is_satisfied() const noexcept {
    if (bytes_ == 8) return compare<std::int64_t>(load<std::uint64_t>(place_.data), value_, comparison_);
    const auto found = static_cast<std::uint32_t>(load<std::uint32_t>(place_.data));
    return compare<std::int32_t>(found, static_cast<std::uint32_t>(value_), comparison_);
}

void MemoryOperation::perform(const Context& context) const {
    if (kind_ == Kind::write) {
        writes.fetch_add(1, std::memory_order_acq_rel);
        bytes_ == 8 ? store<std::uint64_t>(place_.data, value_) : store<std::uint32_t>(place_.data, value_);
        return;
    }
    // A write does not notify anyone, so the value is polled.
    constexpr std::chrono::microseconds pause{20};
    while (!is_satisfied() && context.is_alive()) std::this_thread::sleep_for(pause);
    writes.load(std::memory_order_acquire);
}

}  // namespace CUBIND_NAMESPACE::sim
