// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nccl/point_to_point.hpp>
#include <cubind/nccl_core/communicator.hpp>
#include <cubind/nccl_core/registration.hpp>

#include "support/communicator_state.hpp"

namespace CUBIND_NAMESPACE::nccl {

using cubind::detail::throw_misuse;
using detail::Elements;
using detail::pointer;

void Communicator::submit_send(StreamRef stream, Data source, int peer) {
    auto& own = state();
    const cudaStream_t at = own.begin("send", stream, {&source});
    detail::check_rank(own.operation, "peer", peer, size());
    own.check(ncclSend(pointer(source), source.count, source.type, peer, own.handle, at));
}

void Communicator::submit_receive(StreamRef stream, Data destination, int peer) {
    auto& own = state();
    const cudaStream_t at = own.begin("receive", stream, {&destination});
    detail::check_rank(own.operation, "peer", peer, size());
    own.check(ncclRecv(pointer(destination), destination.count, destination.type, peer, own.handle, at));
}

// ---- one-sided operations ------------------------------------------------------------------------------------------------

void Communicator::submit_put(StreamRef stream, Data source, int peer, const Window& window, std::size_t offset, Signal signal) {
    auto& own = state();
    const cudaStream_t at = own.begin("put_signal", stream, {&source});
    detail::check_rank(own.operation, "peer", peer, size());
    const ncclWindow_t handle = window.native_handle();
    if (window.communicator_ != state_) throw_misuse("put_signal: the window is of another communicator: create one of this");
    if (handle == nullptr)
        throw_misuse("put_signal: this machine has no windows, so that no rank can write to the memory of another");
    const std::size_t size = source.count * detail::size_of(source.type);
    if (offset > window.size() || size > window.size() - offset) {
        throw_misuse("put_signal: ", size, " bytes from byte ", offset, " on exceed the window of ", window.size(), " bytes");
    }
    own.check(ncclPutSignal(pointer(source), source.count, source.type, peer, handle, offset, signal.index, signal.context, 0,
                            own.handle, at));
}

void Communicator::signal(StreamRef stream, int peer, Signal signal) {
    auto& own = state();
    const cudaStream_t at = own.begin("signal", stream);
    detail::check_rank(own.operation, "peer", peer, size());
    own.check(ncclSignal(peer, signal.index, signal.context, 0, own.handle, at));
}

void Communicator::wait_signal(StreamRef stream, std::span<const SignalWait> waits) {
    auto& own = state();
    const cudaStream_t at = own.begin("wait_signal", stream);
    if (waits.empty()) throw_misuse("wait_signal: there is no rank to wait for: pass one at least");
    std::vector<ncclWaitSignalDesc_t> native;
    for (const SignalWait& each : waits) {
        detail::check_rank(own.operation, "peer", each.peer, size());
        if (each.count < 1) throw_misuse("wait_signal: the count is ", each.count, ": pass 1 or more");
        native.push_back({each.count, each.peer, each.signal.index, each.signal.context});
    }
    own.check(ncclWaitSignal(static_cast<int>(native.size()), native.data(), own.handle, at));
}

}  // namespace CUBIND_NAMESPACE::nccl
