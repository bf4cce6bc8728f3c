// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/memory.hpp>

#include <cstring>
#include <utility>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/refusals.hpp"
#include "memory/synchronous_memory.hpp"

namespace CUBIND_NAMESPACE {
namespace {

/// Memory of another process that a context has opened.
class OpenedMemory final : public detail::SynchronousMemory {
public:
    explicit OpenedMemory(ContextRef context) : context_(context), device_(context.device()) {}

    /// Opens the memory and returns the address of the whole allocation.
    driver::CUdeviceptr open(const driver::CUipcMemHandle& handle) {
        const ScopedContext scope(context_);
        const detail::RelaxedCaptureMode mode;
        const auto opened = driver::cuIpcOpenMemHandle(handle, driver::CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
        if (!opened.ok()) {
            detail::throw_with_advice({opened.status},
                                      "the memory must exist, in another process, on this device or a peer of it; the process "
                                      "that has allocated it uses its own Buffer");
        }
        return base_ = opened.value;
    }
    /// Closes the memory. A second attempt follows a failure, because the mapping would leak otherwise.
    void close() {
        try {
            close_once();
        } catch (const Error&) {
            close_once();
        }
    }

    driver::CUdeviceptr allocate(StreamRef, std::size_t size, std::size_t) override {
        detail::throw_misuse("cannot allocate ", size, " bytes from memory of another process");
    }
    bool is_mapped() const noexcept override { return true; }
    bool is_host_accessible() const noexcept override { return false; }
    std::optional<Device> device() const noexcept override { return device_; }

private:
    void free(driver::CUdeviceptr) override { close(); }
    void close_once() const {
        const ScopedContext scope(context_);
        const detail::RelaxedCaptureMode mode;
        check(driver::cuIpcCloseMemHandle(base_));
    }

    const ContextRef context_;
    const Device device_;
    driver::CUdeviceptr base_ = 0;
};

}  // namespace

LegacyIpcDescriptor Buffer::legacy_ipc_descriptor() const {
    check_open();
    if (size_ == 0) detail::throw_misuse("a buffer of 0 bytes has no memory that processes could share");
    const auto found = PointerAttributes::of(pointer_);
    if (!found.is_legacy_ipc_capable) {
        detail::throw_misuse(
            detail::bytes_at(size_, pointer_), " cannot be shared by a legacy IPC handle, which only memory of ",
            "cuMemAlloc has; use ipc_descriptor() for pools, and VirtualBuffer::export_memory() for virtual memory");
    }
    const ScopedContext scope(found.context ? found.context : found.device->primary_context());
    const driver::CUipcMemHandle handle = check(driver::cuIpcGetMemHandle(found.allocation));
    LegacyIpcDescriptor descriptor;
    static_assert(sizeof handle == sizeof descriptor.data);
    std::memcpy(descriptor.data.data(), &handle, sizeof handle);
    descriptor.offset = pointer_ - found.allocation;
    descriptor.size = size_;
    return descriptor;
}

Buffer Buffer::from_legacy_ipc_descriptor(StreamRef stream, const LegacyIpcDescriptor& descriptor) {
    if (descriptor.size == 0) detail::throw_misuse("a descriptor of 0 bytes describes no memory of another process");
    detail::FreeOrder order(stream);
    const auto memory = std::make_shared<OpenedMemory>(stream.context());
    driver::CUipcMemHandle handle{};
    std::memcpy(&handle, descriptor.data.data(), sizeof handle);
    const driver::CUdeviceptr base = memory->open(handle);
    try {
        const std::size_t size = PointerAttributes::of(base).allocation_size;
        if (descriptor.offset > size || descriptor.size > size - descriptor.offset) {
            detail::throw_misuse("cannot map ", descriptor.size, " bytes at offset ", descriptor.offset,
                                 " of memory of another process: the allocation has ", size, " bytes");
        }
    } catch (...) {
        memory->close();
        throw;
    }
    return Buffer(base + descriptor.offset, descriptor.size, MemoryResourceBase::default_alignment, memory.get(), memory,
                  std::move(order));
}

}  // namespace CUBIND_NAMESPACE
