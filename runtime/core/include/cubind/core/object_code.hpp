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

namespace CUBIND_NAMESPACE {

namespace detail {
class ObjectCodeState;

/// Throws std::invalid_argument unless a variable of `size` bytes can have a type of `type_size` bytes, or can be an
/// array of any length with elements of that size.
CUBIND_EXPORT void check_global(const std::string& name, std::size_t size, std::size_t type_size, bool is_unbounded_array);
}  // namespace detail

/// The kind of compiled code. A cubin, PTX and a fat binary can be loaded; the other kinds are inputs of a Linker.
enum class CodeType { cubin, ptx, lto_ir, fatbin, object, library };

/// Returns "cubin", "PTX", "LTO-IR", "fat binary", "object file" or "library".
[[nodiscard]] CUBIND_EXPORT const char* to_string(CodeType kind) noexcept;

/// Pairs of a name expression, such as "saxpy<float>", and the symbol that the code has for it.
using SymbolMapping = std::vector<std::pair<std::string, std::string>>;

/// The properties of code besides its bytes.
struct ObjectCodeOptions {
    std::string name = {};  ///< for messages and for the linker's log
    SymbolMapping symbol_mapping = {};
};

/// Compiled code: the result of Program::compile() and Linker::link(), or the content of a file. A handle: copies are
/// cheap and share the immutable bytes. The code is loaded once for all devices that can run it, when a kernel or
/// variable is first requested. It is unloaded with the last of its copies and kernels. Any thread may use it.
///
///     ObjectCode code = ObjectCode::from_file(CodeType::cubin, "saxpy.cubin");
///     Kernel saxpy = code.kernel("saxpy");
///     code.save("copy.cubin");
class CUBIND_EXPORT ObjectCode {
public:
    /// Reads a file. Throws LoadError if it is missing, unreadable or empty.
    [[nodiscard]] static ObjectCode from_file(CodeType kind, const std::string& path, ObjectCodeOptions options = {});

    /// Copies the bytes. Throws std::invalid_argument if there are none.
    [[nodiscard]] static ObjectCode from_bytes(CodeType kind, std::span<const std::byte> bytes, ObjectCodeOptions options = {});
    /// Copies text, such as PTX, or bytes in a string. Throws std::invalid_argument if there are none.
    [[nodiscard]] static ObjectCode from_bytes(CodeType kind, std::string_view bytes, ObjectCodeOptions options = {});
    /// Shares the bytes without a copy. Throws std::invalid_argument if there are none.
    [[nodiscard]] static ObjectCode from_bytes(CodeType kind, Bytes bytes, ObjectCodeOptions options = {});

    /// Returns the kind of the code.
    [[nodiscard]] CodeType kind() const;
    /// Returns the bytes of the code. PTX that cubind compiled does not end with NUL.
    [[nodiscard]] std::span<const std::byte> bytes() const;
    /// Returns the bytes as a handle, which may outlive this object.
    [[nodiscard]] const Bytes& shared_bytes() const;
    /// Returns the bytes as characters, for PTX.
    [[nodiscard]] std::string_view text() const;
    /// Returns the name of the options, or the path of from_file().
    [[nodiscard]] const std::string& name() const;
    /// Returns the name expressions that the code was compiled with, and their symbols.
    [[nodiscard]] const SymbolMapping& symbol_mapping() const;

    /// Returns the kernel of a name: a name expression that was passed to Program::compile(), else a symbol. Loads the
    /// code at first use (cuLibraryLoadData, cuLibraryGetKernel). Throws LoadError if there is no such kernel, with the
    /// kernels of the code, and std::invalid_argument for code that must be linked first.
    [[nodiscard]] Kernel kernel(const std::string& name) const;

    /// Returns the __device__ or __constant__ variable of that name on the device (cuLibraryGetGlobal). Each device has
    /// its own. Throws LoadError if there is none.
    [[nodiscard]] GlobalVariable global(const std::string& name, Device device) const;
    /// Returns the variable on the current device, else on device 0.
    [[nodiscard]] GlobalVariable global(const std::string& name) const;

    /// Returns the variable as a view that copy() and fill() accept: `code.global<float>("scale", device)`,
    /// `code.global<float[16]>("table", device)`. Throws std::invalid_argument if the size of the type differs from
    /// that of the variable.
    template <class Type>
    [[nodiscard]] Global<Type> global(const std::string& name, Device device) const {
        return typed_global<Type>(name, global(name, device));
    }
    /// Returns the view of the variable on the current device, else on device 0.
    template <class Type>
    [[nodiscard]] Global<Type> global(const std::string& name) const {
        return typed_global<Type>(name, global(name));
    }

    /// Returns the __managed__ variable of that name, which all devices share (cuLibraryGetManaged). Throws LoadError
    /// if there is none.
    [[nodiscard]] GlobalVariable managed(const std::string& name) const;
    /// Returns the __managed__ variable as a view that copy() and fill() accept. Throws std::invalid_argument if the
    /// size of the type differs from that of the variable.
    template <class Type>
    [[nodiscard]] Global<Type> managed(const std::string& name) const {
        return typed_global<Type>(name, managed(name));
    }

    /// Returns the loaded library, for driver calls (cuLibraryLoadData). It stays loaded as long as this object or a
    /// kernel of it exists.
    [[nodiscard]] driver::CUlibrary native_handle() const;

    /// Returns the code as a module of the device's context, for interfaces that do not accept libraries
    /// (cuLibraryGetModule). The module must not be unloaded.
    [[nodiscard]] driver::CUmodule module(Device device) const;
    /// Returns the module of the current device, else of device 0.
    [[nodiscard]] driver::CUmodule module() const;

    /// Writes the bytes to a file atomically: a file that exists is replaced as a whole or not at all, and its permissions
    /// remain. Throws std::system_error if the file cannot be written, if it is read-only, and if the path names anything but a
    /// regular file, such as a device, a FIFO or a symbolic link.
    void save(const std::string& path) const;

private:
    explicit ObjectCode(std::shared_ptr<detail::ObjectCodeState> state) noexcept : state_(std::move(state)) {}

    template <class Type>
    static Global<Type> typed_global(const std::string& name, const GlobalVariable& variable) {
        detail::check_global(name, variable.size, detail::global_size<Type>, std::is_unbounded_array_v<Type>);
        return Global<Type>(variable);
    }
    detail::ObjectCodeState& state() const;

    std::shared_ptr<detail::ObjectCodeState> state_;
};

}  // namespace CUBIND_NAMESPACE
