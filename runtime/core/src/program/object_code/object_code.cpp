// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/driver/library.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "calls/driver.hpp"
#include "launch/disassembly.hpp"
#include "launch/kernel_state.hpp"
#include "program/constant_value.hpp"
#include "program/object_code/global_names.hpp"
#include "program/object_code/load_diagnostics.hpp"
#include "program/object_code/object_code_state.hpp"

namespace CUBIND_NAMESPACE {

std::span<const std::byte> Bytes::span() const noexcept {
    return {data(), size_};
}

Bytes Bytes::copy_of(const void* data, std::size_t size) {
    if (size == 0) return {};
    std::shared_ptr<std::byte[]> copy(new std::byte[size]);
    std::memcpy(copy.get(), data, size);
    return {std::move(copy), size};
}

namespace {

// Checks the result of a call that uses loaded code. The driver may load code lazily and reject it only at its first use.
template <class Result>
auto check_use(const Result& result, const detail::ObjectCodeState& code, const detail::LoadedLibrary& library) {
    return detail::check_as(
        result, [&](const Error& failure) { return LoadError(failure, detail::load_advice(failure, code, library.log())); });
}

GlobalVariable check_variable(const Result<driver::CUresult, driver::CUdeviceptr, std::size_t>& result, const char* kind,
                              const std::string& name, const detail::ObjectCodeState& code,
                              const detail::LoadedLibrary& library) {
    const auto [address, size] = detail::check_as(result, [&](const Error& failure) {
        if (failure.code() != driver::CUDA_ERROR_NOT_FOUND) {
            return LoadError(failure, detail::load_advice(failure, code, library.log()));
        }
        return LoadError(failure, detail::unknown_variable_advice(kind, name, code));
    });
    return {address, size};
}

}  // namespace

// ---- state ---------------------------------------------------------------------------------------------------------------

namespace detail {

ObjectCodeState::ObjectCodeState(CodeType kind, Bytes bytes, ObjectCodeOptions options)
    : kind_(kind), bytes_(std::move(bytes)), options_(std::move(options)) {
    check_no_nul("the name of an ObjectCode", name());
    for (const auto& [expression, symbol] : symbol_mapping()) check_no_nul("a symbol of an ObjectCode", symbol);
    if (bytes_.empty()) throw_misuse("the ", title(), " has 0 bytes; pass the content of a whole file");
}

std::string ObjectCodeState::title() const {
    std::string text = to_string(kind_);
    if (!name().empty()) text.append(" \"").append(name()).append("\"");
    return text;
}

const std::string& ObjectCodeState::symbol_of(const std::string& name) const {
    check_no_nul("the name of a kernel or variable", name);
    for (const auto& [expression, symbol] : symbol_mapping()) {
        if (expression == name) return symbol;
    }
    return name;
}

std::shared_ptr<const LoadedLibrary> ObjectCodeState::library() {
    const std::lock_guard lock(mutex_);
    if (!library_) library_ = std::make_shared<const LoadedLibrary>(*this);
    return library_;
}

Kernel ObjectCodeState::make_kernel(driver::CUkernel handle, std::string symbol,
                                    std::shared_ptr<const LoadedLibrary> library) const {
    return KernelAccess::make(
        std::make_shared<KernelState>(handle, std::move(library), std::move(symbol), bytes_, kind_ == CodeType::ptx));
}

}  // namespace detail

// ---- code ----------------------------------------------------------------------------------------------------------------

const char* to_string(CodeType kind) noexcept {
    switch (kind) {
        case CodeType::cubin:
            return "cubin";
        case CodeType::ptx:
            return "PTX";
        case CodeType::lto_ir:
            return "LTO-IR";
        case CodeType::fatbin:
            return "fat binary";
        case CodeType::object:
            return "object file";
        case CodeType::library:
            return "library";
        case CodeType::tile_ir:
            return "Tile IR";
    }
    return "code of an unknown kind";
}

void detail::check_global(const std::string& name, std::size_t size, std::size_t type_size, bool is_unbounded_array) {
    if (is_unbounded_array) {
        if (size % type_size == 0) return;
        throw_misuse("the variable \"", name, "\" has ", size, " bytes, which is not a multiple of the ", type_size,
                     " bytes of an element; name the type that the code declares");
    }
    if (size == type_size) return;
    throw_misuse("the variable \"", name, "\" has ", size, " bytes, but the type of ObjectCode::global() has ", type_size,
                 "; name the type that the code declares");
}

ObjectCode ObjectCode::from_bytes(CodeType kind, Bytes bytes, ObjectCodeOptions options) {
    return ObjectCode(std::make_shared<detail::ObjectCodeState>(kind, std::move(bytes), std::move(options)));
}

ObjectCode ObjectCode::from_bytes(CodeType kind, std::span<const std::byte> bytes, ObjectCodeOptions options) {
    return from_bytes(kind, Bytes::copy_of(bytes.data(), bytes.size()), std::move(options));
}

ObjectCode ObjectCode::from_bytes(CodeType kind, std::string_view bytes, ObjectCodeOptions options) {
    return from_bytes(kind, Bytes::copy_of(bytes.data(), bytes.size()), std::move(options));
}

detail::ObjectCodeState& ObjectCode::state() const {
    if (!state_) detail::throw_moved_from("ObjectCode");
    return *state_;
}

CodeType ObjectCode::kind() const {
    return state().kind();
}

std::span<const std::byte> ObjectCode::bytes() const {
    return state().bytes().span();
}

const Bytes& ObjectCode::shared_bytes() const {
    return state().bytes();
}

std::string_view ObjectCode::text() const {
    const Bytes& bytes = shared_bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const std::string& ObjectCode::name() const {
    return state().name();
}

const SymbolMapping& ObjectCode::symbol_mapping() const {
    return state().symbol_mapping();
}

const ConstantMapping& ObjectCode::constants() const {
    return state().constants();
}

std::uint64_t ObjectCode::constant_bits(const std::string& expression, detail::ConstantType type) const {
    std::string requested;
    for (const auto& [name, value] : constants()) {
        if (name == expression) return detail::required_bits(value, type, "ObjectCode::constant", this->name(), expression, {});
        requested.append(requested.empty() ? " \"" : ", \"").append(name).append("\"");
    }
    detail::throw_misuse("the ", state().title(), " has no constant \"", expression, "\": CompileOptions::constants had",
                         requested.empty() ? " no expression" : requested);
}

Kernel ObjectCode::kernel(const std::string& name) const {
    auto library = state().library();
    const std::string& symbol = state().symbol_of(name);
    const auto found = driver::cuLibraryGetKernel(library->handle(), symbol.c_str());
    const driver::CUkernel kernel = detail::check_as(found, [&](const Error& failure) {
        return failure.code() == driver::CUDA_ERROR_NOT_FOUND
                   ? LoadError(failure, detail::unknown_kernel_advice(name, state(), library->kernel_names()))
                   : LoadError(failure, detail::load_advice(failure, state(), library->log()));
    });
    return state().make_kernel(kernel, symbol, std::move(library));
}

std::vector<Kernel> ObjectCode::kernels() const {
    const auto library = state().library();
    std::vector<Kernel> kernels;
    for (auto& [handle, symbol] : library->kernels()) kernels.push_back(state().make_kernel(handle, std::move(symbol), library));
    if (kernels.empty()) {  // perhaps the driver cannot load the code; it then counts none, and a request for the module fails
        const ScopedContext scope(Device().context());
        check_use(driver::cuLibraryGetModule(library->handle()), state(), *library);
    }
    return kernels;
}

std::string ObjectCode::disassemble() const {
    return detail::disassemble("ObjectCode::disassemble()", state().bytes());
}

std::vector<std::string> ObjectCode::globals() const {
    return detail::global_names(state());
}

GlobalVariable ObjectCode::global(const std::string& name, Device device) const {
    const auto library = state().library();
    const ScopedContext scope(device.context());
    return check_variable(driver::cuLibraryGetGlobal(library->handle(), state().symbol_of(name).c_str()),
                          "__device__ or __constant__", name, state(), *library);
}

GlobalVariable ObjectCode::global(const std::string& name) const {
    return global(name, Device());
}

GlobalVariable ObjectCode::managed(const std::string& name) const {
    const auto library = state().library();
    const ScopedContext scope(Device().context());
    return check_variable(driver::cuLibraryGetManaged(library->handle(), state().symbol_of(name).c_str()), "__managed__", name,
                          state(), *library);
}

driver::CUlibrary ObjectCode::native_handle() const {
    return state().library()->handle();
}

driver::CUmodule ObjectCode::module(Device device) const {
    const auto library = state().library();
    const ScopedContext scope(device.context());
    return check_use(driver::cuLibraryGetModule(library->handle()), state(), *library);
}

driver::CUmodule ObjectCode::module() const {
    return module(Device());
}

}  // namespace CUBIND_NAMESPACE
