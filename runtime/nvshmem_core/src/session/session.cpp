// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/library.hpp>
#include <cubind/nvshmem/extensions.hpp>
#include <cubind/nvshmem/loading.hpp>
#include <cubind/nvshmem/memory.hpp>
#include <cubind/nvshmem_core/session.hpp>

#include <cstring>
#include <string>

#include "errors/misuse.hpp"
#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem {

using cubind::detail::concat;
using cubind::detail::throw_misuse;
using detail::SessionState;

namespace {

using Attributes = nvshmemx_init_attr_t;

static_assert(sizeof(nvshmemx_uniqueid_t) == sizeof(Bootstrap::Id));

/// Checks the release of the library, and gives the attributes the version that it knows. Before 3.5, the structs were as large,
/// and the number of the device was a reserved field.
void adapt_to_library(Attributes& attributes, const detail::Place& place) {
    int major = 0, minor = 0, patch = 0;
    nvshmemx_vendor_get_version_info(&major, &minor, &patch);
    if (major != 3 || minor < 4) {
        const char* const path = library_path(library());
        detail::throw_failure("nvshmemx_vendor_get_version_info", NVSHMEMX_ERROR_NOT_SUPPORTED, place,
                              concat("NVSHMEM ", major, ".", minor, ".", patch, " was found (",
                                     path == nullptr ? "substituted" : path, "), but NVSHMEM 3.4 or a later 3.x is needed"));
    }
    if (minor < 5) {
        const auto first_version = [](std::size_t size) { return static_cast<int>((1U << 16) + size); };
        attributes.version = first_version(sizeof attributes);
        attributes.args.version = first_version(sizeof attributes.args);
        attributes.args.cuda_device_id = 0;
    }
}

/// Begins with the attributes that `set` returns.
template <class SetAttributes>
std::shared_ptr<SessionState> begin(const char* operation, Device device, unsigned int flags, int pe, SetAttributes set) {
    const detail::Place place{operation, pe};
    Attributes attributes = detail::checked(set(), place);  // says what is wrong if there is no NVSHMEM
    adapt_to_library(attributes, place);
    detail::claim_process();
    try {
        if (nvshmemx_init_status() >= static_cast<int>(NVSHMEM_STATUS_IS_INITIALIZED)) {
            throw_misuse(operation, ": other code of this process has initialized NVSHMEM: use one of both");
        }
        auto state = std::make_shared<SessionState>(device);
        const ScopedContext scope(state->context);
        detail::checked(nvshmemx_hostlib_init_attr(flags, &attributes), place);
        state->is_running = true;
        state->pe = nvshmem_my_pe();
        state->size = nvshmem_n_pes();
        return state;
    } catch (...) {
        detail::release_process();
        throw;
    }
}

}  // namespace

// ---- creation ------------------------------------------------------------------------------------------------------------

Bootstrap::Id Session::create_id() {
    const nvshmemx_uniqueid_t made = detail::checked(nvshmemx_get_uniqueid(), {"create_id"});
    Bootstrap::Id id;
    std::memcpy(id.data(), &made, sizeof made);
    return id;
}

Session Session::init(Device device, int n_pes, int pe, const Bootstrap::Id& id) {
    if (n_pes < 1) throw_misuse("init: n_pes is ", n_pes, ", but a session has at least 1 PE");
    detail::check_pe_number("init", "PE", pe, n_pes);
    nvshmemx_uniqueid_t native;  // to which the attributes point
    std::memcpy(&native, id.data(), sizeof native);
    return Session(begin("init", device, NVSHMEMX_INIT_WITH_UNIQUEID, pe,
                         [&] { return nvshmemx_set_attr_uniqueid_args(pe, n_pes, &native, Attributes()); }));
}

Session Session::init(const Bootstrap& bootstrap) {
    const Device device = bootstrap.device();
    return init(device, bootstrap.size(), bootstrap.rank(), bootstrap.exchange(create_id, device.uuid()));
}

Session Session::from_environment() {
    return init(Bootstrap::from_environment());
}

Session Session::from_mpi(Device device, void* communicator) {
    if (communicator == nullptr) throw_misuse("from_mpi: the communicator is null: pass the address of an MPI_Comm");
    return Session(begin("from_mpi", device, NVSHMEMX_INIT_WITH_MPI_COMM, -1,
                         [&] { return nvshmemx_set_attr_mpi_comm_args(communicator, Attributes()); }));
}

Session::Session(std::shared_ptr<SessionState> state) : world_(std::move(state), NVSHMEM_TEAM_WORLD) {}

Session& Session::operator=(Session&& other) noexcept {
    world_ = std::move(other.world_);
    return *this;
}

void Session::close() {
    if (is_closed()) return;
    SessionState& own = state();
    if (own.buffers + own.teams + own.registrations + own.codes != 0) {
        throw_misuse("close: ", own.buffers, " buffers (", own.bytes, " bytes), ", own.teams, " teams, ", own.registrations,
                     " registrations and ", own.codes, " linked codes of the session exist: destroy them before, on all PEs");
    }
    own.finalize();
    world_ = Team();
}

// ---- properties ----------------------------------------------------------------------------------------------------------

Device Session::device() const {
    return state().device;
}

const Team& Session::world() const& {
    if (is_closed()) throw_misuse("this Session was moved from or closed: create a new one");
    return world_;
}

Team Session::shared() const {
    return Team(shared_state(), NVSHMEM_TEAM_SHARED);
}

Team Session::node() const {
    return Team(shared_state(), NVSHMEMX_TEAM_NODE);
}

const std::shared_ptr<SessionState>& Session::shared_state() const {
    static_cast<void>(state());  // checks that there is one
    return world_.session_;
}

void* Session::peer_address(const char* operation, const detail::Operand& elements, int pe) const {
    const SessionState& own = state();
    detail::check_pe_number(operation, "PE", pe, own.size);
    detail::check_symmetric(operation, "memory", elements, own);
    return nvshmem_ptr(elements.pointer(), pe);
}

}  // namespace CUBIND_NAMESPACE::nvshmem
