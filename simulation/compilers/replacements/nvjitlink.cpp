// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of nvJitLink that the audit library replaces. A link of LTO-IR gets the option -ptx, so that its result is PTX.
// nvJitLink does not link PTX to PTX: the simulated driver does, also with the PTX of a link of LTO-IR.
#include <cubind/nvjitlink/types.hpp>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "compilers/replacements/compiler.hpp"
#include "compilers/replacements/link.hpp"
#include "platform/elf_format.hpp"
#include "shared/device_runtime.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

using namespace nvjitlink;

// Adds the link of a new handle. If that fails, destroys the handle.
template <int compiler>
nvJitLinkResult add(nvJitLinkHandle* handle, bool is_lto) noexcept {
    try {
        add_link(*handle, is_lto);
        return NVJITLINK_SUCCESS;
    } catch (const std::bad_alloc&) {
        const auto destroy = compilers[compiler].function<nvJitLinkResult(nvJitLinkHandle*)>("nvJitLinkDestroy");
        if (destroy != nullptr) destroy(handle);
        return NVJITLINK_ERROR_INTERNAL;
    }
}

template <int compiler>
nvJitLinkResult create(nvJitLinkHandle* handle, std::uint32_t count, const char** options) noexcept {
    const auto real =
        compilers[compiler].function<nvJitLinkResult(nvJitLinkHandle*, std::uint32_t, const char**)>("nvJitLinkCreate");
    if (real == nullptr) return NVJITLINK_ERROR_INTERNAL;
    if (handle == nullptr || (count != 0 && options == nullptr)) return real(handle, count, options);
    try {
        std::vector<const char*> changed(options, options + count);
        const auto has = [&](const char* name) {
            for (const char* const each : changed) {
                if (each != nullptr && std::strcmp(each, name) == 0) return true;
            }
            return false;
        };
        const bool is_for_ptx = has("-ptx");
        const bool is_lto = has("-lto");
        if (is_lto && !is_for_ptx) changed.push_back("-ptx");
        const nvJitLinkResult status = real(handle, static_cast<std::uint32_t>(changed.size()), changed.data());
        return status == NVJITLINK_SUCCESS && !is_for_ptx ? add<compiler>(handle, is_lto) : status;
    } catch (const std::exception&) {  // no memory, or a size that no memory has
        return NVJITLINK_ERROR_INTERNAL;
    }
}

template <int compiler>
nvJitLinkResult destroy(nvJitLinkHandle* handle) noexcept {
    const auto real = compilers[compiler].function<nvJitLinkResult(nvJitLinkHandle*)>("nvJitLinkDestroy");
    if (real == nullptr) return NVJITLINK_ERROR_INTERNAL;
    if (handle != nullptr) remove_link(*handle);
    return real(handle);
}

// Returns whether an input of a link of LTO-IR is PTX or the library of the device runtime, without which nvJitLink can link only
// with machine code. PTX that NVRTC has handed out instead of machine code has the type of machine code.
bool is_beside_lto_ir(nvJitLinkInputType type, std::string_view bytes) noexcept {
    if (type == NVJITLINK_INPUT_CUBIN) return !bytes.starts_with(cubind::detail::elf::magic);
    if (type == NVJITLINK_INPUT_LIBRARY || type == NVJITLINK_INPUT_ANY) return is_device_runtime(bytes);
    return type == NVJITLINK_INPUT_PTX;
}

// Returns whether the simulated driver links an input.
bool is_simulated(const Link& link, nvJitLinkInputType type, std::string_view bytes) noexcept {
    return link.is_lto ? is_beside_lto_ir(type, bytes) : type != NVJITLINK_INPUT_LTOIR;
}

template <int compiler>
nvJitLinkResult add_data(nvJitLinkHandle handle, nvJitLinkInputType type, const void* data, std::size_t size,
                         const char* name) noexcept {
    using Add = nvJitLinkResult(nvJitLinkHandle, nvJitLinkInputType, const void*, std::size_t, const char*);
    const auto real = compilers[compiler].function<Add>("nvJitLinkAddData");
    if (real == nullptr) return NVJITLINK_ERROR_INTERNAL;
    const auto link = find_link(handle);
    if (link == nullptr || data == nullptr) return real(handle, type, data, size, name);
    const char* const bytes = static_cast<const char*>(data);
    if (!is_simulated(*link, type, {bytes, size})) return real(handle, type, data, size, name);
    try {
        return link->add(type, std::string(bytes, size), name) ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
    } catch (const std::exception&) {  // no memory, or a size that no memory has
        return NVJITLINK_ERROR_INTERNAL;
    }
}

template <int compiler>
nvJitLinkResult add_file(nvJitLinkHandle handle, nvJitLinkInputType type, const char* path) noexcept {
    using Add = nvJitLinkResult(nvJitLinkHandle, nvJitLinkInputType, const char*);
    const auto real = compilers[compiler].function<Add>("nvJitLinkAddFile");
    if (real == nullptr) return NVJITLINK_ERROR_INTERNAL;
    const auto link = find_link(handle);
    if (link == nullptr || path == nullptr) return real(handle, type, path);
    try {
        std::string bytes;
        const bool is_read = read_whole_file(path, bytes);
        if (!is_read || !is_simulated(*link, type, bytes)) return real(handle, type, path);
        return link->add(type, std::move(bytes), path) ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
    } catch (const std::exception&) {  // no memory, or a size that no memory has
        return NVJITLINK_ERROR_INTERNAL;
    }
}

using Complete = nvJitLinkResult(nvJitLinkHandle);
using GetSize = nvJitLinkResult(nvJitLinkHandle, std::size_t*);
using Get = nvJitLinkResult(nvJitLinkHandle, char*);

// Links the inputs of LTO-IR to PTX, which becomes an input of the simulated driver: nvJitLink does not report a function without
// a definition if the result is PTX.
template <int compiler>
nvJitLinkResult add_linked_ptx(nvJitLinkHandle handle, Link& link) {
    const Compiler& real = compilers[compiler];
    const auto complete = real.function<Complete>("nvJitLinkComplete");
    const auto get_size = real.function<GetSize>("nvJitLinkGetLinkedPtxSize");
    const auto get = real.function<Get>("nvJitLinkGetLinkedPtx");
    if (complete == nullptr || get_size == nullptr || get == nullptr) return NVJITLINK_ERROR_INTERNAL;
    nvJitLinkResult status = complete(handle);
    std::size_t size = 0;
    if (status == NVJITLINK_SUCCESS) status = get_size(handle, &size);
    if (status != NVJITLINK_SUCCESS) return status;
    std::string ptx(size, '\0');
    status = get(handle, ptx.data());
    if (status == NVJITLINK_SUCCESS) link.add(NVJITLINK_INPUT_PTX, std::move(ptx), "linked LTO-IR");
    return status;
}

template <int compiler>
nvJitLinkResult complete(nvJitLinkHandle handle) noexcept {
    const auto real = compilers[compiler].function<Complete>("nvJitLinkComplete");
    const auto link = find_link(handle);
    if (link == nullptr) return real != nullptr ? real(handle) : NVJITLINK_ERROR_INTERNAL;
    try {
        const nvJitLinkResult status = link->is_lto ? add_linked_ptx<compiler>(handle, *link) : NVJITLINK_SUCCESS;
        if (status != NVJITLINK_SUCCESS) return status;
        return link->complete() ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
    } catch (const std::exception&) {  // no memory, or a size that no memory has
        return NVJITLINK_ERROR_INTERNAL;
    }
}

template <int compiler>
nvJitLinkResult get_size(nvJitLinkHandle handle, std::size_t* size) noexcept {
    const auto link = find_link(handle);
    if (link != nullptr) {
        if (size == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
        if (link->code.empty()) return NVJITLINK_ERROR_INTERNAL;
        *size = link->code.size();
        return NVJITLINK_SUCCESS;
    }
    const auto real = compilers[compiler].function<GetSize>("nvJitLinkGetLinkedCubinSize");
    return real != nullptr ? real(handle, size) : NVJITLINK_ERROR_INTERNAL;
}

template <int compiler>
nvJitLinkResult get(nvJitLinkHandle handle, void* code) noexcept {
    const auto link = find_link(handle);
    if (link != nullptr) {
        if (code == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
        if (link->code.empty()) return NVJITLINK_ERROR_INTERNAL;
        std::memcpy(code, link->code.data(), link->code.size());
        return NVJITLINK_SUCCESS;
    }
    const auto real = compilers[compiler].function<Get>("nvJitLinkGetLinkedCubin");
    return real != nullptr ? real(handle, static_cast<char*>(code)) : NVJITLINK_ERROR_INTERNAL;
}

template <int compiler>
nvJitLinkResult get_log_size(nvJitLinkHandle handle, std::size_t* size) noexcept {
    const auto link = find_link(handle);
    if (link != nullptr && !link->problem.empty() && size != nullptr) {
        *size = link->problem.size() + 1;
        return NVJITLINK_SUCCESS;
    }
    const auto real = compilers[compiler].function<GetSize>("nvJitLinkGetErrorLogSize");
    return real != nullptr ? real(handle, size) : NVJITLINK_ERROR_INTERNAL;
}

template <int compiler>
nvJitLinkResult get_log(nvJitLinkHandle handle, char* text) noexcept {
    const auto link = find_link(handle);
    if (link != nullptr && !link->problem.empty() && text != nullptr) {
        std::memcpy(text, link->problem.c_str(), link->problem.size() + 1);
        return NVJITLINK_SUCCESS;
    }
    const auto real = compilers[compiler].function<Get>("nvJitLinkGetErrorLog");
    return real != nullptr ? real(handle, text) : NVJITLINK_ERROR_INTERNAL;
}

template <int compiler>
void* find_nvjitlink(std::string_view name) noexcept {
    const struct {
        std::string_view name;
        void* function;
    } rows[] = {
        {"nvJitLinkCreate", reinterpret_cast<void*>(&create<compiler>)},
        {"nvJitLinkDestroy", reinterpret_cast<void*>(&destroy<compiler>)},
        {"nvJitLinkAddData", reinterpret_cast<void*>(&add_data<compiler>)},
        {"nvJitLinkAddFile", reinterpret_cast<void*>(&add_file<compiler>)},
        {"nvJitLinkComplete", reinterpret_cast<void*>(&complete<compiler>)},
        {"nvJitLinkGetLinkedCubinSize", reinterpret_cast<void*>(&get_size<compiler>)},
        {"nvJitLinkGetLinkedCubin", reinterpret_cast<void*>(&get<compiler>)},
        {"nvJitLinkGetErrorLogSize", reinterpret_cast<void*>(&get_log_size<compiler>)},
        {"nvJitLinkGetErrorLog", reinterpret_cast<void*>(&get_log<compiler>)},
    };
    for (const auto& row : rows) {
        if (row.name == name) return row.function;
    }
    return nullptr;
}

}  // namespace

void* find_nvjitlink_replacement(int compiler, std::string_view name) noexcept {
    static constexpr decltype(&find_nvjitlink<0>) finders[] = {find_nvjitlink<0>, find_nvjitlink<1>, find_nvjitlink<2>,
                                                               find_nvjitlink<3>};
    static_assert(std::size(finders) == max_compilers);
    return finders[compiler](name);
}

}  // namespace CUBIND_NAMESPACE::sim
