// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/nccl/communicators.hpp>
#include <cubind/nccl/constants.hpp>
#include <cubind/nccl_core/communicator.hpp>

#include <algorithm>

#include "support/communicator_state.hpp"
#include "support/native_config.hpp"

namespace CUBIND_NAMESPACE::nccl {

using cubind::detail::throw_misuse;
using detail::CommunicatorState;

namespace {

// Asks NCCL for the rank and the size, which a communicator that is derived from another one learns at the first use.
void learn(CommunicatorState& state) {
    if (state.rank < 0) {
        const auto result = ncclCommUserRank(state.handle);
        if (state.check(result); result.ok()) state.rank = result.value;
    }
    if (state.size < 0) {
        const auto result = ncclCommCount(state.handle);
        if (state.check(result); result.ok()) state.size = result.value;
    }
    if (state.rank < 0 || state.size < 0) throw_misuse("the Communicator is not ready: call wait_until_ready() before");
}

// Creates a communicator by `create(handle)` while the device is current. NCCL may have created a part of it if the call failed.
template <class Create>
std::shared_ptr<CommunicatorState> created(Device device, int rank, int size, const char* operation, Create create) {
    auto state = std::make_shared<CommunicatorState>(CommunicatorState{.device = device, .rank = rank, .size = size});
    state->operation = operation;
    const ScopedContext scope(device.primary_context());
    const auto result = create(&state->handle);
    if (!detail::has_begun(result.status)) {
        const ncclComm_t partial = std::exchange(state->handle, nullptr);
        try {
            state->check(result);
        } catch (...) {
            if (partial != nullptr) detail::report(ncclCommAbort(partial), "abort a communicator whose creation failed");
            throw;
        }
    }
    return state;
}

// The creation from another communicator. NCCL chooses the rank and the size.
template <class Create>
std::shared_ptr<CommunicatorState> derived(CommunicatorState& parent, const char* operation, Create create) {
    parent.operation = operation;
    return created(parent.device, -1, -1, operation, create);
}

void check_size(const char* operation, int size, int rank) {
    if (size < 1) throw_misuse(operation, ": the size is ", size, ", but a communicator has at least 1 rank");
    detail::check_rank(operation, "rank", rank, size);
}

}  // namespace

// ---- creation ------------------------------------------------------------------------------------------------------------

std::vector<Communicator> Communicator::init_all(std::span<const Device> devices) {
    if (devices.empty()) throw_misuse("init_all: there is no device: pass those of the ranks, such as Device::all()");
    std::vector<int> ordinals;
    std::vector<std::shared_ptr<CommunicatorState>> states;
    for (const Device device : devices) {
        if (std::ranges::find(ordinals, device.ordinal()) != ordinals.end()) {
            throw_misuse("init_all: device ", device.ordinal(),
                         " occurs twice: NCCL allows one rank a GPU, so pass each device once");
        }
        states.push_back(std::make_shared<CommunicatorState>(CommunicatorState{
            .device = device, .rank = static_cast<int>(ordinals.size()), .size = static_cast<int>(devices.size())}));
        ordinals.push_back(device.ordinal());
    }
    std::vector<Communicator> communicators(devices.size());
    std::vector<ncclComm_t> handles(devices.size());
    const ScopedContext scope(devices.front().primary_context());
    detail::checked(ncclCommInitAll(handles.data(), static_cast<int>(handles.size()), ordinals.data()), {"init_all"});
    for (std::size_t i = 0; i < handles.size(); ++i) {
        states[i]->handle = handles[i];
        communicators[i].state_ = std::move(states[i]);
    }
    return communicators;
}

Communicator Communicator::init(Device device, int size, int rank, const UniqueId& id, const CommunicatorConfig& config) {
    check_size("init", size, rank);
    ncclConfig_t native = detail::native(config);
    return Communicator(created(device, rank, size, "init", [&](ncclComm_t* handle) {
        return ncclCommInitRankConfig(handle, size, id.native(), rank, &native);
    }));
}

Communicator Communicator::init(Device device, int size, int rank, std::span<const UniqueId> ids,
                                const CommunicatorConfig& config) {
    check_size("init", size, rank);
    if (ids.empty()) throw_misuse("init: there is no id: pass one at least");
    std::vector<ncclUniqueId> native_ids;
    for (const UniqueId& each : ids) native_ids.push_back(each.native());
    ncclConfig_t native = detail::native(config);
    return Communicator(created(device, rank, size, "init", [&](ncclComm_t* handle) {
        return ncclCommInitRankScalable(handle, size, rank, static_cast<int>(ids.size()), native_ids.data(), &native);
    }));
}

Communicator Communicator::init(const Bootstrap& bootstrap, const CommunicatorConfig& config) {
    const Device device = bootstrap.device();
    return init(device, bootstrap.size(), bootstrap.rank(), UniqueId::exchange(bootstrap, device.uuid()), config);
}

Communicator Communicator::from_environment(const CommunicatorConfig& config) {
    return init(Bootstrap::from_environment(), config);
}

Communicator Communicator::from_native_handle(ncclComm_t handle) {
    if (handle == nullptr) throw_misuse("from_native_handle: the handle is null, but must be that of a communicator");
    const Device device(detail::checked(ncclCommCuDevice(handle), {"from_native_handle", -1, -1, handle}));
    CommunicatorState state{.handle = handle, .device = device};
    state.operation = "from_native_handle";
    learn(state);
    return Communicator(std::make_shared<CommunicatorState>(state));
}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
    if (this != &other) {
        reset();
        state_ = std::move(other.state_);
    }
    return *this;
}

Communicator Communicator::split(std::optional<int> color, int key, const CommunicatorConfig& config) {
    if (color && *color < 0) throw_misuse("split: the color is ", *color, ": pass 0 or more, or std::nullopt for none");
    CommunicatorState& parent = state();
    ncclConfig_t native = detail::native(config);
    return Communicator(derived(parent, "split", [&](ncclComm_t* handle) {
        return ncclCommSplit(parent.handle, color.value_or(NCCL_SPLIT_NOCOLOR), key, handle, &native);
    }));
}

Communicator Communicator::shrink(std::span<const int> excluded_ranks, Shrink mode, const CommunicatorConfig& config) {
    CommunicatorState& parent = state();
    std::vector<int> excluded(excluded_ranks.begin(), excluded_ranks.end());
    for (const int each : excluded) {
        detail::check_rank("shrink", "excluded rank", each, size());
        if (each == rank()) throw_misuse("shrink: the excluded rank ", each, " is the own one, which must not call it");
    }
    ncclConfig_t native = detail::native(config);
    return Communicator(derived(parent, "shrink", [&](ncclComm_t* handle) {
        return ncclCommShrink(parent.handle, excluded.data(), static_cast<int>(excluded.size()), handle, &native,
                              static_cast<int>(mode));
    }));
}

UniqueId Communicator::grow_id() {
    state().operation = "grow_id";
    return UniqueId(state_->check(ncclCommGetUniqueId(state_->handle)));
}

Communicator Communicator::grow(int size, const std::optional<UniqueId>& id, const CommunicatorConfig& config) {
    CommunicatorState& parent = state();
    if (size <= this->size()) {
        throw_misuse("grow: the size is ", size, ", but must be greater than that of this communicator, which is ", this->size());
    }
    ncclConfig_t native = detail::native(config);
    return Communicator(derived(parent, "grow", [&](ncclComm_t* handle) {
        return ncclCommGrow(parent.handle, size, id ? &id->native() : nullptr, -1, handle, &native);
    }));
}

Communicator Communicator::join(Device device, int size, int rank, const UniqueId& id, const CommunicatorConfig& config) {
    check_size("join", size, rank);
    ncclConfig_t native = detail::native(config);
    return Communicator(created(device, rank, size, "join", [&](ncclComm_t* handle) {
        return ncclCommGrow(nullptr, size, &id.native(), rank, handle, &native);
    }));
}

// ---- properties ----------------------------------------------------------------------------------------------------------

CommunicatorState& Communicator::state() const {
    if (is_closed()) throw_misuse("this Communicator was moved from, closed, aborted or released: create a new one");
    return *state_;
}

int Communicator::rank() const {
    if (state().rank < 0) learn(*state_);
    return state_->rank;
}

int Communicator::size() const {
    if (state().size < 0) learn(*state_);
    return state_->size;
}

Device Communicator::device() const {
    return state().device;
}

ncclResult_t Communicator::status() const {
    return detail::checked(ncclCommGetAsyncError(state().handle), state_->place());
}

std::string Communicator::last_error() const {
    return detail::last_error_of(state().handle);
}

std::uint64_t Communicator::memory_stat(ncclCommMemStat_t stat) const {
    return detail::checked(ncclCommMemStats(state().handle, stat), {"memory_stat", rank(), size(), state_->handle});
}

ncclComm_t Communicator::native_handle() const {
    return state().handle;
}

bool Communicator::is_closed() const noexcept {
    return state_ == nullptr || state_->handle == nullptr;
}

// ---- the end -------------------------------------------------------------------------------------------------------------

void Communicator::finalize() {
    state().operation = "finalize";
    state_->check(ncclCommFinalize(state_->handle));
}

void Communicator::revoke() {
    state().operation = "revoke";
    state_->check(ncclCommRevoke(state_->handle, NCCL_REVOKE_DEFAULT));
}

void Communicator::suspend() {
    state().operation = "suspend";
    state_->check(ncclCommSuspend(state_->handle, NCCL_SUSPEND_MEM));
}

void Communicator::resume() {
    state().operation = "resume";
    state_->check(ncclCommResume(state_->handle));
}

void Communicator::abort() {
    if (is_closed()) return;
    state_->operation = "abort";
    state_->check(ncclCommAbort(std::exchange(state_->handle, nullptr)));
}

void Communicator::close() {
    if (is_closed()) return;
    state_->operation = "close";
    state_->check(ncclCommDestroy(std::exchange(state_->handle, nullptr)));
}

ncclComm_t Communicator::release() noexcept {
    return is_closed() ? nullptr : std::exchange(state_->handle, nullptr);
}

void Communicator::reset() noexcept {
    const ncclComm_t handle = release();
    if (handle == nullptr) return;
    bool must_abort = state_->has_failed || std::uncaught_exceptions() > state_->exceptions;
    if (!must_abort) {
        const auto [status, error] = ncclCommGetAsyncError(handle);
        must_abort = status != ncclSuccess || error != ncclSuccess;
    }
    detail::report(must_abort ? ncclCommAbort(handle) : ncclCommDestroy(handle),
                   must_abort ? "abort a communicator" : "destroy a communicator");
}

}  // namespace CUBIND_NAMESPACE::nccl
