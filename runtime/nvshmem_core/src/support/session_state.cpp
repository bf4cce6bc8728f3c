// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/session_state.hpp"

#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/nvshmem/extensions.hpp>
#include <cubind/nvshmem/memory.hpp>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"

namespace CUBIND_NAMESPACE::nvshmem::detail {

using cubind::detail::throw_misuse;

namespace {

constinit std::atomic<bool> is_claimed{false};

bool is_in_heap(driver::CUdeviceptr address, int own_pe) noexcept {
    return nvshmem_ptr(reinterpret_cast<const void*>(address), own_pe) != nullptr;
}

}  // namespace

void claim_process() {
    if (is_claimed.exchange(true)) {
        throw_misuse(
            "this process has a Session already, which ends with its last buffer, team, registration or linked code, or was "
            "left running by an exception: NVSHMEM allows one in a process");
    }
}

void release_process() noexcept {
    is_claimed = false;
}

SessionState::~SessionState() {
    constexpr const char* action = "end the session of NVSHMEM";
    if (!is_running || !may_release(action)) return;  // stays claimed, because NVSHMEM runs
    try {
        finalize();
    } catch (...) {
        cubind::detail::report_exception_unless_released(action);
    }
}

void SessionState::finalize() {
    const ScopedContext scope(context);
    is_running = false;
    nvshmemx_hostlib_finalize();
    release_process();
}

bool SessionState::may_release(const char* action) const noexcept {
    if (may_be_alone()) {
        cubind::detail::report_cleanup_failure(action, "an exception passes, and the other PEs may never do the same");
        return false;
    }
    return true;
}

void check_pe_number(const char* operation, const char* what, int pe, int size) {
    if (pe < 0 || pe >= size) [[unlikely]] {
        throw_misuse(operation, ": the ", what, " is ", pe, ", but there are the PEs 0 to ", size - 1);
    }
}

void check_symmetric(const char* operation, const char* what, const Operand& memory, const SessionState& session) {
    if (memory.count == 0) return;
    if (is_in_heap(memory.address, session.pe) && is_in_heap(memory.address + memory.size() - 1, session.pe)) [[likely]]
        return;
    throw_misuse(operation, ": the ", what, ", ", memory.size(), " bytes at the address ", memory.address,
                 ", is not in the symmetric heap: pass memory of a SymmetricMemoryResource or a SymmetricMemory");
}

void check_equal(const char* operation, const Operand& destination, const Operand& source) {
    if (destination.count != source.count) [[unlikely]] {
        throw_misuse(operation, ": the destination has ", destination.count, " elements and the source ", source.count,
                     ": pass views of equal counts");
    }
}

void retain(const SessionState& session, StreamRef stream, std::initializer_list<const Operand*> operands) {
    if (cubind::detail::StreamAccess::retainer(stream) == nullptr) [[likely]]
        return;
    for (const Operand* each : operands) {
        if (each->buffer != nullptr && !is_in_heap(each->address, session.pe))
            cubind::detail::retain_for_capture(stream, *each->buffer);
    }
}

cudaStream_t handle_of(const SessionState& session, StreamRef stream, std::initializer_list<const Operand*> operands) {
    retain(session, stream, operands);
    return stream.native_handle();
}

}  // namespace CUBIND_NAMESPACE::nvshmem::detail
