// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/nccl/communicators.hpp>
#include <cubind/nccl/constants.hpp>
#include <cubind/nccl_core/communicator.hpp>
#include <cubind/nccl_core/registration.hpp>

#include "support/communicator_state.hpp"

namespace CUBIND_NAMESPACE::nccl::detail {

using cubind::detail::throw_misuse;

namespace {

const char* name_of(bool is_window) noexcept {
    return is_window ? "Window" : "RegisteredBuffer";
}

Result<ncclResult_t> deregister(const CommunicatorState& communicator, void* handle, bool is_window) noexcept {
    if (is_window) return ncclCommWindowDeregister(communicator.handle, static_cast<ncclWindow_t>(handle));
    return ncclCommDeregister(communicator.handle, handle);
}

}  // namespace

Registration::Registration(Kind kind, Communicator& communicator, const Elements& memory, int window_flags) : kind_(kind) {
    CommunicatorState& own = communicator.state();
    const std::size_t size = memory.count * size_of(memory.type);
    own.begin(name_of(kind == Kind::window), {&memory});
    if (size == 0) throw_misuse(own.operation, ": the memory has 0 bytes, and nothing can be registered");
    if (kind == Kind::window && memory.address % NCCL_WIN_REQUIRED_ALIGNMENT != 0) {
        throw_misuse("Window: the address ", memory.address, " is not a multiple of ", NCCL_WIN_REQUIRED_ALIGNMENT,
                     ": pass memory from the beginning of a buffer of NcclMemoryResource");
    }
    handle_ = std::make_unique<void*>(nullptr);
    const ScopedContext scope(own.device.primary_context());
    auto* const address = reinterpret_cast<void*>(memory.address);
    if (kind == Kind::window) {
        own.check(
            ncclCommWindowRegister(own.handle, address, size, reinterpret_cast<ncclWindow_t*>(handle_.get()), window_flags));
    } else {
        *handle_ = own.check(ncclCommRegister(own.handle, address, size));
    }
    size_ = size;
    communicator_ = communicator.state_;
}

Registration& Registration::operator=(Registration&& other) noexcept {
    if (this != &other) {
        reset();
        communicator_ = std::move(other.communicator_);
        handle_ = std::move(other.handle_);
        size_ = other.size_;
        kind_ = other.kind_;
    }
    return *this;
}

void* Registration::handle() const {
    if (communicator_ == nullptr)
        throw_misuse("this ", name_of(kind_ == Kind::window), " was moved from or closed: create a new one");
    return *handle_;
}

void Registration::close() {
    const auto communicator = std::move(communicator_);
    if (communicator == nullptr || communicator->handle == nullptr || *handle_ == nullptr) return;
    communicator->operation = "the end of a registration";
    communicator->check(deregister(*communicator, *handle_, kind_ == Kind::window));
}

void Registration::reset() noexcept {
    const auto communicator = std::move(communicator_);
    if (communicator == nullptr || communicator->handle == nullptr || *handle_ == nullptr) return;
    report(deregister(*communicator, *handle_, kind_ == Kind::window), "end a registration of memory with a communicator");
}

}  // namespace CUBIND_NAMESPACE::nccl::detail
