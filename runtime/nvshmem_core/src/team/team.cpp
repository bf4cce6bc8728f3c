// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvshmem/collectives.hpp>
#include <cubind/nvshmem/collectives_on_stream.hpp>
#include <cubind/nvshmem/extensions.hpp>
#include <cubind/nvshmem/memory.hpp>
#include <cubind/nvshmem_core/team.hpp>

#include <utility>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem {

using cubind::detail::throw_misuse;
using detail::SessionState;

// ---- creation ------------------------------------------------------------------------------------------------------------

Team::Team(std::shared_ptr<SessionState> session, nvshmem_team_t handle)
    : session_(std::move(session)), handle_(handle), pe_(nvshmem_team_my_pe(handle)), size_(nvshmem_team_n_pes(handle)) {}

Team::Team(Team&& other) noexcept
    : session_(std::move(other.session_)),
      handle_(other.handle_),
      pe_(other.pe_),
      size_(other.size_),
      is_own_(std::exchange(other.is_own_, false)) {}

Team& Team::operator=(Team&& other) noexcept {
    if (this != &other) {
        reset();
        session_ = std::move(other.session_);
        handle_ = other.handle_;
        pe_ = other.pe_;
        size_ = other.size_;
        is_own_ = std::exchange(other.is_own_, false);
    }
    return *this;
}

Team Team::split(const char* operation, nvshmem_team_t handle) const {
    if (handle == NVSHMEM_TEAM_INVALID) return Team();
    Team made(session_, handle);
    if (made.pe_ < 0) {
        detail::throw_failure("nvshmem_team_my_pe", NVSHMEMX_ERROR_INTERNAL, {operation, session_->pe},
                              "the new team does not know its PEs");
    }
    made.is_own_ = true;
    ++session_->teams;
    return made;
}

Team Team::split_strided(int first, int stride, int n_pes) const {
    constexpr const char* name = "split_strided";
    const SessionState& own = state();
    check_pe(name, "first PE", first);
    if (stride < 1 || n_pes < 1 || (n_pes - 1) > (size_ - 1 - first) / stride) {
        throw_misuse(name, ": ", n_pes, " PEs at a stride of ", stride, " from PE ", first, " do not exist: the team has ", size_,
                     ", and strides are 1 or more");
    }
    const ScopedContext scope(own.context);
    return split(name, own.check(name, nvshmem_team_split_strided(handle_, first, stride, n_pes, nullptr, 0)));
}

Team::Grid Team::split_2d(int row_length) const {
    constexpr const char* name = "split_2d";
    const SessionState& own = state();
    if (row_length < 1) throw_misuse(name, ": the length of rows is ", row_length, ", but must be 1 or more");
    const ScopedContext scope(own.context);
    const auto result = nvshmem_team_split_2d(handle_, row_length, nullptr, 0, nullptr, 0);
    own.check(name, Result<nvshmemx_status>{result.status});
    const auto [status, row, column] = result;
    return {split(name, row), split(name, column)};
}

// ---- properties ----------------------------------------------------------------------------------------------------------

SessionState& Team::state() const {
    if (session_ == nullptr || !session_->is_running)
        throw_misuse(
            "this Team was moved from or closed, has no PE of this process, or its Session was closed: create a new one");
    return *session_;
}

void Team::check_pe(const char* operation, const char* what, int pe) const {
    detail::check_pe_number(operation, what, pe, size_);
}

int Team::my_pe() const {
    static_cast<void>(state());
    return pe_;
}

int Team::n_pes() const {
    static_cast<void>(state());
    return size_;
}

nvshmem_team_t Team::native_handle() const {
    static_cast<void>(state());
    return handle_;
}

std::optional<int> Team::translate(int pe, const Team& other) const {
    static_cast<void>(state());
    check_pe("translate", "PE", pe);
    const int there = nvshmem_team_translate_pe(handle_, pe, other.native_handle());
    return there < 0 ? std::nullopt : std::optional<int>(there);
}

void* Team::multicast_address(const detail::Operand& elements) const {
    detail::check_symmetric("multicast", "memory", elements, state());
    return nvshmemx_mc_ptr(handle_, elements.pointer());
}

// ---- synchronization -----------------------------------------------------------------------------------------------------

void Team::barrier(StreamRef stream) const {
    const SessionState& own = state();
    const ScopedContext scope(own.context);
    own.check("barrier", nvshmemx_barrier_on_stream(handle_, stream.native_handle()));
}

void Team::barrier() const {
    const SessionState& own = state();
    const ScopedContext scope(own.context);
    own.check("barrier", nvshmem_barrier(handle_));
}

void Team::sync(StreamRef stream) const {
    const SessionState& own = state();
    const ScopedContext scope(own.context);
    own.check("sync", nvshmemx_team_sync_on_stream(handle_, stream.native_handle()));
}

void Team::sync() const {
    const SessionState& own = state();
    const ScopedContext scope(own.context);
    own.check("sync", nvshmem_team_sync(handle_));
}

// ---- the end -------------------------------------------------------------------------------------------------------------

void Team::close() {
    const auto session = std::move(session_);
    if (session == nullptr || !std::exchange(is_own_, false)) return;
    --session->teams;
    const ScopedContext scope(session->context);
    nvshmem_team_destroy(handle_);
}

void Team::reset() noexcept {
    constexpr const char* action = "destroy a team of NVSHMEM";
    if (is_own_ && !session_->may_release(action)) {
        --session_->teams;
        is_own_ = false;
    }
    try {
        close();
    } catch (...) {
        cubind::detail::report_exception_unless_released(action);
    }
}

}  // namespace CUBIND_NAMESPACE::nvshmem
