// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/memory_operation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

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

CUresult MemoryOperation::parse(const CUstreamBatchMemOpParams& parameters, MemoryOperation& operation) {
    MemoryOperation result;
    switch (parameters.operation) {
        case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        case CU_STREAM_MEM_OP_WAIT_VALUE_64:
            result.kind_ = Kind::wait;
            result.bytes_ = parameters.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ? 8 : 4;
            result.value_ = result.bytes_ == 8 ? parameters.waitValue.value64 : parameters.waitValue.value;
            result.comparison_ = parameters.waitValue.flags;
            result.address_ = parameters.waitValue.address;
            if ((result.comparison_ & CU_STREAM_WAIT_VALUE_FLUSH) != 0) return CUDA_ERROR_NOT_SUPPORTED;
            if (result.comparison_ > CU_STREAM_WAIT_VALUE_NOR) return CUDA_ERROR_INVALID_VALUE;
            break;
        case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        case CU_STREAM_MEM_OP_WRITE_VALUE_64:
            result.kind_ = Kind::write;
            result.bytes_ = parameters.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8 : 4;
            result.value_ = result.bytes_ == 8 ? parameters.writeValue.value64 : parameters.writeValue.value;
            result.address_ = parameters.writeValue.address;
            if (parameters.writeValue.flags != 0) return CUDA_ERROR_INVALID_VALUE;
            break;
        case CU_STREAM_MEM_OP_BARRIER:
            if (parameters.memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU) return CUDA_ERROR_INVALID_VALUE;
            break;
        case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
            return CUDA_ERROR_NOT_SUPPORTED;
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (result.address_ % result.bytes_ != 0) return CUDA_ERROR_INVALID_VALUE;
    operation = std::move(result);
    return CUDA_SUCCESS;
}

CUresult MemoryOperation::check(const OperationMemory& memory) const {
    if (kind_ == Kind::barrier) return CUDA_SUCCESS;
    return check_place(memory, device_place(address_), {bytes_}, kind_ == Kind::write);
}

CUresult MemoryOperation::find(const MemoryMap& memory, const Device* device) {
    if (kind_ == Kind::barrier) return CUDA_SUCCESS;
    const Access access = {device, kind_ == Kind::write};
    if (const CUresult status = find_operand(memory, Side::device, address_, bytes_, access, place_)) return status;
    const bool is_refused = place_.allocation->kind == MemoryKind::managed || place_.allocation->pool != nullptr;
    return is_refused ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

bool MemoryOperation::is_satisfied() const noexcept {
    if (bytes_ == 8) return compare<std::int64_t>(load<std::uint64_t>(place_.data), value_, comparison_);
    const auto found = static_cast<std::uint32_t>(load<std::uint32_t>(place_.data));
    return compare<std::int32_t>(found, static_cast<std::uint32_t>(value_), comparison_);
}

void MemoryOperation::perform(const Context& context) const {
    if (kind_ == Kind::barrier) return;
    if (kind_ == Kind::write) {
        writes.fetch_add(1, std::memory_order_acq_rel);
        bytes_ == 8 ? store<std::uint64_t>(place_.data, value_) : store<std::uint32_t>(place_.data, value_);
        return;
    }
    // A write does not notify anyone, so the value is polled: first often, and rarely once the wait has become long.
    constexpr std::chrono::microseconds longest_pause{1000};
    for (std::chrono::microseconds pause{20}; !is_satisfied(); pause = std::min(2 * pause, longest_pause)) {
        if (!context.is_alive() || context.device.fault() != CUDA_SUCCESS) break;
        std::this_thread::sleep_for(pause);
    }
    writes.load(std::memory_order_acquire);
}

// ---- batches --------------------------------------------------------------------------------------------------------------

CUresult MemoryOperations::make(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters, MemoryOperations& operations) {
    if (parameters.flags != 0 || parameters.count > max_count) return CUDA_ERROR_INVALID_VALUE;
    if (parameters.count != 0 && parameters.paramArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
    MemoryOperations result;
    result.context = parameters.ctx;
    result.requested.assign(parameters.paramArray, parameters.paramArray + parameters.count);
    for (const CUstreamBatchMemOpParams& each : result.requested) {
        if (const CUresult status = MemoryOperation::parse(each, result.operations.emplace_back())) return status;
    }
    operations = std::move(result);
    return CUDA_SUCCESS;
}

CUresult MemoryOperations::check(const OperationMemory& memory) const {
    if (operations.empty()) return CUDA_ERROR_INVALID_VALUE;
    for (const MemoryOperation& each : operations) {
        if (const CUresult status = each.check(memory)) return status;
    }
    return CUDA_SUCCESS;
}

CUresult MemoryOperations::plan(Plan& plan) const {
    return make_work(plan.memory, nullptr, plan.context, plan.steps.emplace_back());
}

bool MemoryOperations::can_update_to(const MemoryOperations& next) const noexcept {
    return std::ranges::equal(requested, next.requested, {}, &CUstreamBatchMemOpParams::operation,
                              &CUstreamBatchMemOpParams::operation);
}

CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 MemoryOperations::parameters() const noexcept {
    return {context, static_cast<unsigned>(requested.size()), const_cast<CUstreamBatchMemOpParams*>(requested.data()), 0};
}

CUresult MemoryOperations::make_work(const MemoryMap& memory, const Device* device, std::shared_ptr<const Context> in_context,
                                     WorkQueue::Work& work) const {
    std::vector<MemoryOperation> found = operations;
    for (MemoryOperation& each : found) {
        if (const CUresult status = each.find(memory, device)) return status;
    }
    work = [found = std::move(found), context = std::move(in_context)] {
        for (const MemoryOperation& each : found) each.perform(*context);
    };
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
