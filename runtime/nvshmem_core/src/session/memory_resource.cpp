// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/error.hpp>
#include <cubind/nvshmem/memory.hpp>
#include <cubind/nvshmem_core/memory_resource.hpp>
#include <cubind/nvshmem_core/session.hpp>

#include <optional>
#include <string>

#include "errors/misuse.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/synchronous_memory.hpp"
#include "platform/environment.hpp"
#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem {

using cubind::detail::concat;
using detail::SessionState;

namespace {

std::string setting(const char* name, const char* otherwise) {
    const char* const value = cubind::detail::environment_variable(name);
    return value == nullptr ? concat(name, " is not set, which means ", otherwise) : concat(name, " is \"", value, "\"");
}

[[noreturn]] void throw_no_memory(std::size_t size, const SessionState& session) {
    const std::string why = concat(
        "the symmetric heap of PE ", session.pe, " has no ", size, " bytes: ", session.buffers, " buffers have ", session.bytes,
        " bytes of it. ", setting("NVSHMEM_SYMMETRIC_SIZE", "1 GiB"), ". Set it to more in all processes, such as \"4G\". ",
        setting("NVSHMEM_MAX_MEMORY_PER_GPU", "more than the device has"),
        ", up to which the heap grows where NVSHMEM_DISABLE_CUDA_VMM is not set. All PEs must allocate the same size");
    throw OutOfMemory("nvshmem", "nvshmem_align", static_cast<int>(NVSHMEMX_ERROR_OUT_OF_MEMORY),
                      to_string(NVSHMEMX_ERROR_OUT_OF_MEMORY), why);
}

class HeapMemory final : public cubind::detail::SynchronousMemory {
public:
    explicit HeapMemory(std::shared_ptr<SessionState> session) noexcept : session_(std::move(session)) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        if (!session_->is_running) cubind::detail::throw_misuse("SymmetricMemoryResource::allocate: the session is closed");
        const ScopedContext scope(session_->context);
        const cubind::detail::RelaxedCaptureMode mode;
        // The allocation has a barrier of the world, which must not meet a barrier that is pending on the stream.
        if (!stream.is_capturing()) stream.synchronize();
        void* const address = nvshmem_align(alignment, size);
        if (address == nullptr) throw_no_memory(size, *session_);
        ++session_->buffers;
        session_->bytes += size;
        return reinterpret_cast<driver::CUdeviceptr>(address);
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
        --session_->buffers;
        session_->bytes -= size;
        if (!session_->is_running || !session_->may_release("free memory of the symmetric heap")) return;
        SynchronousMemory::deallocate(stream, pointer, size, alignment);
    }
    bool is_host_accessible() const noexcept override { return false; }
    std::optional<Device> device() const noexcept override { return session_->device; }

private:
    void free(driver::CUdeviceptr pointer) override {
        const ScopedContext scope(session_->context);
        nvshmem_free(reinterpret_cast<void*>(pointer));
    }

    std::shared_ptr<SessionState> session_;
};

}  // namespace

SymmetricMemoryResource::SymmetricMemoryResource(const Session& session)
    : ResourceHandle(std::make_shared<HeapMemory>(session.shared_state())) {}

}  // namespace CUBIND_NAMESPACE::nvshmem
