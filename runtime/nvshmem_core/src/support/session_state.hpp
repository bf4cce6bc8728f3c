// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/nvshmem/status.hpp>
#include <cubind/nvshmem_core/detail/operand.hpp>
#include <cubind/result.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <string>

namespace CUBIND_NAMESPACE::nvshmem::detail {

/// Where a call was made, for messages.
struct Place {
    const char* operation;
    int pe = -1;
};

/// Throws CommunicationError for the status of the calling thread's latest call, with advice.
[[noreturn]] void throw_failed_call(nvshmemx_status status, const Place& place);
/// Throws CommunicationError for a failure of a function that returns no status.
[[noreturn]] void throw_failure(const char* function, nvshmemx_status status, const Place& place, const std::string& why);

/// Returns the value of a result, or nothing. Throws CommunicationError.
template <class... Values>
auto checked(const Result<nvshmemx_status, Values...>& result, const Place& place) {
    if (!result.ok()) [[unlikely]]
        throw_failed_call(result.status, place);
    if constexpr (sizeof...(Values) == 1) return result.value;
}

/// The process's use of NVSHMEM. It ends with its last owner.
struct SessionState {
    explicit SessionState(Device own_device) : device(own_device), context(own_device.primary_context()) {}
    SessionState(const SessionState&) = delete;
    SessionState& operator=(const SessionState&) = delete;
    ~SessionState();

    /// Ends the use, together with the other PEs.
    void finalize();
    /// Returns whether functions that wait for other PEs must not be called, because these may never call them.
    [[nodiscard]] bool may_be_alone() const noexcept { return size > 1 && std::uncaught_exceptions() > exceptions; }
    /// Returns whether a release in which the other PEs take part should be made. Reports one that must not be made.
    [[nodiscard]] bool may_release(const char* action) const noexcept;
    /// Checks a call.
    template <class Call>
    auto check(const char* operation, const Call& result) const {
        return checked(result, {operation, pe});
    }

    const Device device;
    const ContextRef context;
    int pe = -1;
    int size = 0;
    bool is_running = false;                      // between the beginning and the end
    int exceptions = std::uncaught_exceptions();  // those that pass at the creation
    std::size_t buffers = 0;
    std::size_t bytes = 0;  // of the buffers
    std::size_t teams = 0;
    std::size_t registrations = 0;
    std::size_t codes = 0;
};

/// Marks that this process uses NVSHMEM. Throws std::invalid_argument if it does so already.
void claim_process();
/// Removes the mark.
CUBIND_EXPORT void release_process() noexcept;

/// Throws std::invalid_argument for a PE outside of 0 to size - 1. `what` names it.
void check_pe_number(const char* operation, const char* what, int pe, int size);
/// Throws std::invalid_argument for memory that is not in the symmetric heap. `what` names it.
void check_symmetric(const char* operation, const char* what, const Operand& memory, const SessionState& session);
/// Throws std::invalid_argument if the numbers of elements differ.
void check_equal(const char* operation, const Operand& destination, const Operand& source);

/// If a GraphBuilder captures the stream, makes its graph retain the buffers, except those of the heap: a graph is destroyed at
/// any time, but freeing memory of the heap waits for the other PEs.
void retain(const SessionState& session, StreamRef stream, std::initializer_list<const Operand*> operands);
/// Does so, and returns the handle of the stream.
cudaStream_t handle_of(const SessionState& session, StreamRef stream, std::initializer_list<const Operand*> operands);

}  // namespace CUBIND_NAMESPACE::nvshmem::detail
