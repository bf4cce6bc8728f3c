// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/cufile/files.hpp>
#include <cubind/cufile/status.hpp>
#include <cubind/file/registered_file_buffer.hpp>

#include <utility>

#include "cufile/session.hpp"
#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "support/failures.hpp"

namespace CUBIND_NAMESPACE {

namespace detail::io {

/// Memory that cuFile has registered, unless cuFile is not used.
class Registration {
public:
    explicit Registration(const MemoryView& memory);

    [[nodiscard]] bool is_registered() const noexcept { return session_ != nullptr; }
    Result<cufile::CUfileError_t> end() {
        const auto session = std::move(session_);
        if (session == nullptr) return {};
        session->remove(address_);
        return cufile::cuFileBufDeregister(reinterpret_cast<void*>(address_));
    }

private:
    driver::CUdeviceptr address_;
    std::shared_ptr<const void> memory_;
    std::shared_ptr<CufileSession> session_;
};

namespace {

// Returns the session if cuFile has GPUDirect Storage of any kind; nullptr if not, or if cuFile does not work on this machine.
std::shared_ptr<CufileSession> session_with_gpu_direct() {
    if (!FileDriver::is_available()) return nullptr;
    try {
        std::shared_ptr<CufileSession> session = CufileSession::open();
        return session->properties().has_gpu_direct() ? session : nullptr;
    } catch (const FileError&) {
        return nullptr;
    }
}

}  // namespace

Registration::Registration(const MemoryView& memory) : address_(memory.address) {
    if (memory.size == 0) throw_misuse("RegisteredFileBuffer: the memory has 0 bytes, and nothing can be registered");
    const PointerAttributes attributes = PointerAttributes::of(address_);
    if (attributes.kind != MemoryType::device) {
        throw_misuse("RegisteredFileBuffer: the memory at the address ", address_,
                     " is not memory of a device, and cuFile registers no other");
    }
    std::shared_ptr<CufileSession> session = session_with_gpu_direct();
    if (session == nullptr) return;
    if (memory.buffer != nullptr) memory_ = share(*memory.buffer);
    const ScopedContext scope(attributes.context ? attributes.context : attributes.device->primary_context());
    const std::string no_path;
    const bool is_new = session->add(address_, memory.size);
    try {
        checked(cufile::cuFileBufRegister(reinterpret_cast<void*>(address_), memory.size, 0),
                {"registration of memory", no_path, 0, memory.size});
    } catch (...) {
        if (is_new) session->remove(address_);
        throw;
    }
    session_ = std::move(session);
}

}  // namespace detail::io

RegisteredFileBuffer::RegisteredFileBuffer(const detail::MemoryView& memory)
    : registration_(std::make_unique<detail::io::Registration>(memory)) {}

RegisteredFileBuffer::RegisteredFileBuffer() noexcept = default;
RegisteredFileBuffer::RegisteredFileBuffer(RegisteredFileBuffer&& other) noexcept = default;

RegisteredFileBuffer& RegisteredFileBuffer::operator=(RegisteredFileBuffer&& other) noexcept {
    RegisteredFileBuffer ended(std::move(*this));
    registration_ = std::move(other.registration_);
    return *this;
}

RegisteredFileBuffer::~RegisteredFileBuffer() {
    if (registration_ == nullptr) return;
    if (const auto ended = registration_->end(); !ended.ok()) {
        detail::report_cleanup_failure("end a registration of memory with cuFile", to_string(ended.status));
    }
}

bool RegisteredFileBuffer::is_registered() const noexcept {
    return registration_ != nullptr && registration_->is_registered();
}

void RegisteredFileBuffer::close() {
    const auto registration = std::move(registration_);
    if (registration == nullptr) return;
    const std::string no_path;
    detail::io::checked(registration->end(), {"end of a registration of memory", no_path});
}

}  // namespace CUBIND_NAMESPACE
