// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_operations.hpp"

#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/device.hpp>
#include <cubind/driver/stream_memory_operation.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {

// ---- operations -----------------------------------------------------------------------------------------------------------

MemoryOperation MemoryOperation::write_element(const detail::MemoryView& memory, std::uint64_t value) noexcept {
    driver::CUstreamBatchMemOpParams native{};
    native.writeValue.operation =
        memory.size == 8 ? driver::CU_STREAM_MEM_OP_WRITE_VALUE_64 : driver::CU_STREAM_MEM_OP_WRITE_VALUE_32;
    native.writeValue.address = memory.address;
    native.writeValue.value64 = value;
    return {native, memory.buffer};
}

MemoryOperation MemoryOperation::wait_for_element(const detail::MemoryView& memory, WaitCondition condition, std::uint64_t value,
                                                  const WaitValueOptions& options) {
    const auto comparison = static_cast<unsigned int>(condition);
    if (comparison > driver::CU_STREAM_WAIT_VALUE_NOR) {
        detail::throw_misuse("there is no WaitCondition ", comparison, ": the last one is ",
                             static_cast<unsigned int>(driver::CU_STREAM_WAIT_VALUE_NOR), ", bitwise_nor");
    }
    driver::CUstreamBatchMemOpParams native{};
    native.waitValue.operation =
        memory.size == 8 ? driver::CU_STREAM_MEM_OP_WAIT_VALUE_64 : driver::CU_STREAM_MEM_OP_WAIT_VALUE_32;
    native.waitValue.address = memory.address;
    native.waitValue.value64 = value;
    native.waitValue.flags = comparison;
    if (options.flush_remote_writes) native.waitValue.flags |= static_cast<unsigned int>(driver::CU_STREAM_WAIT_VALUE_FLUSH);
    return {native, memory.buffer};
}

MemoryOperation MemoryOperation::barrier(MemoryBarrierScope scope) noexcept {
    driver::CUstreamBatchMemOpParams native{};
    native.memoryBarrier.operation = driver::CU_STREAM_MEM_OP_BARRIER;
    native.memoryBarrier.flags = static_cast<unsigned int>(scope);
    return {native, nullptr};
}

MemoryOperation MemoryOperation::flush_remote_writes() noexcept {
    driver::CUstreamBatchMemOpParams native{};
    native.flushRemoteWrites.operation = driver::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
    return {native, nullptr};
}

std::uint64_t MemoryOperation::value() const noexcept {
    switch (type()) {
        case driver::CU_STREAM_MEM_OP_WAIT_VALUE_32:
            return native_.waitValue.value;
        case driver::CU_STREAM_MEM_OP_WAIT_VALUE_64:
            return native_.waitValue.value64;
        case driver::CU_STREAM_MEM_OP_WRITE_VALUE_32:
            return native_.writeValue.value;
        case driver::CU_STREAM_MEM_OP_WRITE_VALUE_64:
            return native_.writeValue.value64;
        default:
            return 0;
    }
}

driver::CUdeviceptr MemoryOperation::address() const noexcept {
    return detail::MemoryOperationAccess::memory(*this).address;
}

namespace detail {

MemoryView MemoryOperationAccess::memory(const MemoryOperation& operation) noexcept {
    switch (operation.type()) {
        case driver::CU_STREAM_MEM_OP_WAIT_VALUE_32:
            return {operation.native_.waitValue.address, 4, operation.buffer_};
        case driver::CU_STREAM_MEM_OP_WAIT_VALUE_64:
            return {operation.native_.waitValue.address, 8, operation.buffer_};
        case driver::CU_STREAM_MEM_OP_WRITE_VALUE_32:
            return {operation.native_.writeValue.address, 4, operation.buffer_};
        case driver::CU_STREAM_MEM_OP_WRITE_VALUE_64:
            return {operation.native_.writeValue.address, 8, operation.buffer_};
        default:
            return {0, 0, nullptr};
    }
}

void check_element_of_operation(const MemoryView& memory, std::size_t size) {
    if (memory.size != size) [[unlikely]] {
        throw_misuse("a memory operation has 1 element, of ", size, " bytes, but the memory has ", memory.size / size,
                     " elements; pass one of them, such as subspan(i, 1) of a TypedBuffer");
    }
    if (memory.address % size != 0) [[unlikely]] {
        throw_misuse("the address of a memory operation on ", size, " bytes must be a multiple of ", size, ", but ",
                     bytes_at(size, memory.address), " are ", memory.address % size, " bytes past one");
    }
}

// ---- failures -------------------------------------------------------------------------------------------------------------

OperationArray::OperationArray(std::span<const MemoryOperation> operations)
    : size_(static_cast<unsigned int>(operations.size())) {
    if (operations.size() > max_memory_operations) {
        throw_misuse("a batch of ", operations.size(), " memory operations is larger than the limit of ", max_memory_operations,
                     "; submit several batches");
    }
    std::ranges::transform(operations, parameters_.begin(), &MemoryOperation::native);
}

namespace {

/// What an operation needs of a device.
struct Need {
    const char* operation;
    driver::CUdevice_attribute attribute;
    const char* name;
};

// Assumes that an attribute about which the driver reports nothing exists.
bool has_attribute(driver::CUdevice_attribute attribute, Device device) {
    const auto found = driver::cuDeviceGetAttribute(attribute, device.native_handle());
    return !found.ok() || found.value != 0;
}

// Returns what the operation needs and the device does not have.
std::optional<Need> missing_need(const MemoryOperation& operation, Device device) {
    const bool is_wait =
        operation.type() == driver::CU_STREAM_MEM_OP_WAIT_VALUE_32 || operation.type() == driver::CU_STREAM_MEM_OP_WAIT_VALUE_64;
    const unsigned int flags = is_wait ? operation.native().waitValue.flags : 0;
    const bool flushes = (flags & static_cast<unsigned int>(driver::CU_STREAM_WAIT_VALUE_FLUSH)) != 0;
    const bool is_flush = operation.type() == driver::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
    const std::pair<bool, Need> needs[] = {
        {MemoryOperationAccess::memory(operation).size == 8,
         {"an operation on 8 bytes", driver::CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS,
          "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS"}},
        {(flags & 3) == driver::CU_STREAM_WAIT_VALUE_NOR,
         {"a wait with WaitCondition::bitwise_nor", driver::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR,
          "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR"}},
        {flushes || is_flush,
         {"a flush of remote writes", driver::CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES,
          "CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES"}},
    };
    for (const auto& [is_needed, need] : needs) {
        if (is_needed && !has_attribute(need.attribute, device)) return need;
    }
    return std::nullopt;
}

// Returns why the driver refuses the memory. Returns an empty text if it accepts the memory, or if nothing is known about it.
std::string reason_for_refusal(const MemoryView& memory) {
    constexpr const char* accepted =
        "pinned memory, such as memory of LegacyPinnedMemoryResource, or memory of VirtualMemoryResource or cuMemAlloc";
    try {
        const auto found = PointerAttributes::of(memory.address);
        const bool is_known = found.kind == MemoryType::device || found.kind == MemoryType::host;
        if (!is_known || !is_inside(memory, found) || found.device_pointer == 0) {
            return concat(
                "a memory operation needs memory of the driver that is neither managed memory nor device memory of a pool: ",
                accepted);
        }
        if (found.pool == nullptr) return {};
        const char* const kind = found.kind == MemoryType::host ? "pinned" : "device";
        return concat("a memory operation cannot use ", kind, " memory of a pool; use ", accepted);
    } catch (const Error&) {
        return {};
    }
}

std::string explain(driver::CUresult status, std::span<const MemoryOperation> operations, std::optional<Device> device) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const std::string which =
            operations.size() == 1 ? std::string() : concat("operation ", i, " of ", operations.size(), " of the batch: ");
        if (status == driver::CUDA_ERROR_NOT_SUPPORTED && device) {
            const auto missing = missing_need(operations[i], *device);
            if (missing) {
                return concat(which, missing->operation, " needs ", missing->name, ", which device ", device->ordinal(),
                              " does not have");
            }
        }
        const MemoryView memory = MemoryOperationAccess::memory(operations[i]);
        if (status != driver::CUDA_ERROR_INVALID_VALUE || memory.size == 0) continue;
        const std::string reason = reason_for_refusal(memory);
        if (!reason.empty()) return concat(which, describe("the memory", memory), "; ", reason);
    }
    return {};
}

}  // namespace

void throw_rejected(Result<driver::CUresult> failed, std::span<const MemoryOperation> operations, std::optional<Device> device,
                    const std::string& advice) {
    std::string text = explain(failed.status, operations, device);
    if (!text.empty() && !advice.empty()) text.append(". ");
    throw_with_advice(failed, text.append(advice));
}

// ---- streams --------------------------------------------------------------------------------------------------------------

namespace {

Result<driver::CUresult> call(driver::CUstream stream, const MemoryOperation& operation) {
    const auto& wait = operation.native().waitValue;
    const auto& write = operation.native().writeValue;
    switch (operation.type()) {
        case driver::CU_STREAM_MEM_OP_WAIT_VALUE_32:
            return driver::cuStreamWaitValue32(stream, wait.address, wait.value, wait.flags);
        case driver::CU_STREAM_MEM_OP_WAIT_VALUE_64:
            return driver::cuStreamWaitValue64(stream, wait.address, wait.value64, wait.flags);
        case driver::CU_STREAM_MEM_OP_WRITE_VALUE_32:
            return driver::cuStreamWriteValue32(stream, write.address, write.value, write.flags);
        case driver::CU_STREAM_MEM_OP_WRITE_VALUE_64:
            return driver::cuStreamWriteValue64(stream, write.address, write.value64, write.flags);
        default:
            driver::CUstreamBatchMemOpParams parameters = operation.native();
            return driver::cuStreamBatchMemOp(stream, 1, &parameters, 0);
    }
}

void retain_memory(StreamRef stream, const MemoryOperation& operation) {
    const MemoryView memory = MemoryOperationAccess::memory(operation);
    if (memory.buffer != nullptr) retain_for_capture(stream, *memory.buffer);
}

[[noreturn]] void throw_failed(Result<driver::CUresult> failed, StreamRef stream, std::span<const MemoryOperation> operations) {
    std::optional<Device> device;
    if (failed.status == driver::CUDA_ERROR_NOT_SUPPORTED) device = stream.device();
    throw_rejected(failed, operations, device, advice_on_context(failed.status, stream));
}

}  // namespace

void submit(StreamRef stream, const MemoryOperation& operation) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    retain_memory(stream, operation);
    const auto submitted = call(handle, operation);
    if (!submitted.ok()) [[unlikely]]
        throw_failed(submitted, stream, {&operation, 1});
}

}  // namespace detail

void memory_operation_batch(StreamRef stream, std::span<const MemoryOperation> operations) {
    const driver::CUstream handle = detail::StreamAccess::handle(stream);
    if (operations.empty()) return;
    detail::OperationArray parameters(operations);
    for (const MemoryOperation& each : operations) detail::retain_memory(stream, each);
    const auto submitted = driver::cuStreamBatchMemOp(handle, parameters.size(), parameters.data(), 0);
    if (!submitted.ok()) [[unlikely]]
        detail::throw_failed(submitted, stream, operations);
}

}  // namespace CUBIND_NAMESPACE
