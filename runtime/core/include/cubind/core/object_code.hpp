// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/bytes.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/global.hpp>
#include <cubind/core/kernel.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cubind {

namespace detail {
class ObjectCodeState;

/// Throws std::invalid_argument unless a variable of `size` bytes can have a type of `type_size` bytes, or can be an array of any length with
/// elements of that size.
void check_global(const std::string& name, std::size_t size, std::size_t type_size, bool is_unbounded_array);
}  // namespace detail

/// What compiled code is. A cubin, PTX and a fat binary can be loaded; the others are for a Linker.
enum class CodeType { cubin, ptx, lto_ir, fatbin, object, library };

/// "cubin", "PTX", "LTO-IR", "fat binary", "object file" or "library".
const char* to_string(CodeType kind) noexcept;

/// Names that a programmer writes, "saxpy<float>", with the symbols that the code has for them.
using SymbolMapping = std::vector<std::pair<std::string, std::string>>;

/// What is known of code besides its bytes.
struct ObjectCodeOptions {
    std::string name = {};  ///< for messages and for the linker's log
    SymbolMapping symbol_mapping = {};
};

/// Compiled code: what Program::compile() and Linker::link() return, or what comes from a file. A handle: copies are cheap and share
/// the bytes, which nobody changes any more. The code is loaded once, when a kernel or variable is first asked for, for all devices
/// that can run it, and unloaded with the last of its copies and kernels. Any thread may use it.
///
///     ObjectCode code = ObjectCode::from_file(CodeType::cubin, "saxpy.cubin");
///     Kernel saxpy = code.kernel("saxpy");
///     code.save("copy.cubin");
class ObjectCode {
public:
    /// Reads a whole file. Throws LoadError for one that is missing, unreadable or empty.
    static ObjectCode from_file(CodeType kind, const std::string& path, ObjectCodeOptions options = {});

    /// Of a copy of the bytes, which std::invalid_argument says must not be none.
    static ObjectCode from_bytes(CodeType kind, std::span<const std::byte> bytes, ObjectCodeOptions options = {});
    /// The same for text, as PTX is, and for what programs keep in strings.
    static ObjectCode from_bytes(CodeType kind, std::string_view bytes, ObjectCodeOptions options = {});
    /// Shares the bytes and copies nothing.
    static ObjectCode from_bytes(CodeType kind, Bytes bytes, ObjectCodeOptions options = {});

    CodeType kind() const;
    /// The code itself. PTX that cubind compiled has no NUL at its end.
    std::span<const std::byte> bytes() const;
    /// The same as a handle, which outlives this object.
    const Bytes& shared_bytes() const;
    /// The same bytes as characters: PTX is text.
    std::string_view text() const;
    const std::string& name() const;
    /// The name expressions that the code was compiled with, and what became of them.
    const SymbolMapping& symbol_mapping() const;

    /// The kernel of that name: a name expression as it was given to Program::compile(), else a symbol. Loads the code if that is yet
    /// to be done (cuLibraryLoadData, cuLibraryGetKernel). Throws LoadError, which lists what the code has, where there is none, and
    /// std::invalid_argument for code that has to be linked first.
    Kernel kernel(const std::string& name) const;

    /// The __device__ or __constant__ variable of that name on the device; each device has its own (cuLibraryGetGlobal). Throws LoadError if
    /// there is none.
    [[nodiscard]] GlobalVariable global(const std::string& name, Device device) const;
    /// On the current device, else device 0.
    [[nodiscard]] GlobalVariable global(const std::string& name) const;

    /// The variable as a view that copy() and fill() accept: `code.global<float>("scale", device)`, `code.global<float[16]>("table", device)`.
    /// Throws std::invalid_argument if the size of the type differs from that of the variable.
    template <class Type>
    [[nodiscard]] Global<Type> global(const std::string& name, Device device) const {
        return checked<Type>(name, global(name, device));
    }
    template <class Type>
    [[nodiscard]] Global<Type> global(const std::string& name) const {
        return checked<Type>(name, global(name));
    }

    /// The __managed__ variable of that name, which all devices share (cuLibraryGetManaged). Throws LoadError if there is none.
    [[nodiscard]] GlobalVariable managed(const std::string& name) const;
    template <class Type>
    [[nodiscard]] Global<Type> managed(const std::string& name) const {
        return checked<Type>(name, managed(name));
    }

    /// The loaded library, for calls of the driver; it stays loaded as long as this object or a kernel of it (cuLibraryLoadData).
    driver::CUlibrary native_handle() const;

    /// The code as a module of the device's context, for interfaces that know no libraries; not to be unloaded (cuLibraryGetModule).
    driver::CUmodule module(Device device) const;
    driver::CUmodule module() const;

    /// Writes the bytes to a file, which appears, or takes the place of another, as a whole or not at all. Throws std::system_error.
    void save(const std::string& path) const;

private:
    explicit ObjectCode(std::shared_ptr<detail::ObjectCodeState> state) noexcept : state_(std::move(state)) {}

    template <class Type>
    static Global<Type> checked(const std::string& name, const GlobalVariable& variable) {
        detail::check_global(name, variable.size, detail::global_size<Type>, std::is_unbounded_array_v<Type>);
        return Global<Type>(variable);
    }
    detail::ObjectCodeState& state() const;

    std::shared_ptr<detail::ObjectCodeState> state_;
};

}  // namespace cubind
