// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/communicator_state.hpp"

#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>

namespace CUBIND_NAMESPACE::nccl::detail {

using cubind::detail::StreamAccess;

cudaStream_t CommunicatorState::begin(const char* name, StreamRef stream, std::initializer_list<const Elements*> operands) {
    begin(name, operands);
    const auto* const owned = StreamAccess::state(stream);
    if (owned != nullptr && owned->context() != context.native_handle()) [[unlikely]] {
        if (const Device other = stream.device(); other != device) {
            cubind::detail::throw_misuse(operation, ": the stream is of device ", other.ordinal(),
                                         ", but the communicator is of device ", device.ordinal(),
                                         ": pass a stream of the latter");
        }
    }
    if (auto* const retainer = StreamAccess::retainer(stream); retainer != nullptr) [[unlikely]] {
        for (const Elements* each : operands) {
            if (each != nullptr && each->buffer != nullptr) retainer->retain(cubind::detail::share(*each->buffer));
        }
    }
    return stream.native_handle();
}

void CommunicatorState::check_memory(const Elements& memory) const {
    if (memory.buffer == nullptr) return;
    const auto resource = memory.buffer->memory_resource();
    if (!resource) return;
    if (const auto other = resource->device(); other && *other != device) [[unlikely]] {
        cubind::detail::throw_misuse(operation, ": the memory is of device ", other->ordinal(),
                                     ", but the communicator is of device ", device.ordinal(), ": pass memory of the latter");
    }
}

}  // namespace CUBIND_NAMESPACE::nccl::detail
