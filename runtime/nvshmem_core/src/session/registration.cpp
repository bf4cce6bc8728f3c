// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvshmem/extensions.hpp>
#include <cubind/nvshmem_core/registration.hpp>
#include <cubind/nvshmem_core/session.hpp>

#include <utility>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem::detail {

using cubind::detail::throw_misuse;

namespace {

const char* name_of(bool is_symmetric) noexcept {
    return is_symmetric ? "SymmetricMemory" : "RegisteredMemory";
}

Result<nvshmemx_status> unregister(const SessionState& session, void* address, std::size_t size, bool is_symmetric) {
    const ScopedContext scope(session.context);
    return is_symmetric ? nvshmemx_buffer_unregister_symmetric(address, size) : nvshmemx_buffer_unregister(address);
}

}  // namespace

Registration::Registration(Kind kind, const Session& session, const Operand& memory)
    : address_(memory.pointer()), size_(memory.size()), kind_(kind) {
    const char* const name = name_of(kind == Kind::symmetric);
    const SessionState& own = session.state();
    if (size_ == 0) throw_misuse(name, ": the memory has 0 bytes, and nothing can be registered");
    const ScopedContext scope(own.context);
    if (kind == Kind::symmetric) {
        address_ = nvshmemx_buffer_register_symmetric(memory.pointer(), size_, 0);
        if (address_ == nullptr) {
            throw_failure(
                "nvshmemx_buffer_register_symmetric", NVSHMEMX_ERROR_INVALID_VALUE, {name, own.pe},
                "NVSHMEM cannot map the memory: it must be of a VirtualMemoryResource, begin and end at multiples of its "
                "granularity, and fit into NVSHMEM_MAX_MEMORY_PER_GPU; NVSHMEM_DISABLE_CUDA_VMM must not be set");
        }
    } else {
        own.check(name, nvshmemx_buffer_register(memory.pointer(), size_));
    }
    session_ = session.shared_state();
    ++session_->registrations;
}

Registration& Registration::operator=(Registration&& other) noexcept {
    if (this != &other) {
        reset();
        session_ = std::move(other.session_);
        address_ = other.address_;
        size_ = other.size_;
        kind_ = other.kind_;
    }
    return *this;
}

void* Registration::address() const {
    if (session_ == nullptr)
        throw_misuse("this ", name_of(kind_ == Kind::symmetric), " was moved from or closed: create a new one");
    return address_;
}

void Registration::close() {
    const auto session = std::move(session_);
    if (session == nullptr) return;
    --session->registrations;
    session->check("the end of a registration", unregister(*session, address_, size_, kind_ == Kind::symmetric));
}

void Registration::reset() noexcept {
    constexpr const char* action = "end a registration of memory with NVSHMEM";
    if (session_ == nullptr) return;
    if (kind_ == Kind::symmetric && !session_->may_release(action)) {
        --session_->registrations;
        session_ = nullptr;
        return;
    }
    try {
        close();
    } catch (...) {
        cubind::detail::report_exception_unless_released(action);
    }
}

}  // namespace CUBIND_NAMESPACE::nvshmem::detail
