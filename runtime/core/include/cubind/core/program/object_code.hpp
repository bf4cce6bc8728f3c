// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/global.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/memory/bytes.hpp>
#include <cubind/core/program/detail/constant_type.hpp>
#include <cubind/core/program/evaluated_constant.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

namespace detail {
class ObjectCodeState;

/// Throws std::invalid_argument if a variable of `size` bytes cannot have the requested type: a type of `type_size` bytes,
/// or an array of any length whose elements have `type_size` bytes.
CUBIND_EXPORT void check_global(const std::string& name, std::size_t size, std::size_t type_size, bool is_unbounded_array);
}  // namespace detail

/// The kind of compiled code. A cubin, PTX and a fat binary can be loaded; the other kinds are inputs of a Linker.
enum class CodeType {
    cubin,    ///< machine code of one architecture
    ptx,      ///< PTX text
    lto_ir,   ///< intermediate code for link-time optimization
    fatbin,   ///< a container of code for several architectures
    object,   ///< a host object file with embedded device code
    library,  ///< a host library with embedded device code
    tile_ir,  ///< intermediate code of Tile kernels
};

/// Returns "cubin", "PTX", "LTO-IR", "fat binary", "object file", "library" or "Tile IR".
[[nodiscard]] CUBIND_EXPORT const char* to_string(CodeType kind) noexcept;

/// Pairs of a name expression, such as "saxpy<float>", and the symbol that the code has for it.
using SymbolMapping = std::vector<std::pair<std::string, std::string>>;

/// The properties of code besides its bytes.
struct ObjectCodeOptions {
    std::string name = {};              ///< name in messages and in the linker's log
    SymbolMapping symbol_mapping = {};  ///< name expressions that kernel() accepts besides symbols
    ConstantMapping constants = {};     ///< expressions that constant() accepts
};

/// Compiled code: the result of Program::compile() and Linker::link(), or the content of a file. A handle: copies are cheap and
/// share the immutable bytes. The code is loaded once for all devices that can run it, when a kernel or variable is first
/// requested; Tile IR is then compiled for the current device (tileiras). It is unloaded when its last copy and its last kernel
/// have been destroyed. Any thread may use it.
///
///     ObjectCode code = ObjectCode::from_file(CodeType::cubin, "saxpy.cubin");
///     Kernel saxpy = code.kernel("saxpy");
///     code.save("copy.cubin");
class CUBIND_EXPORT ObjectCode {
public:
    /// Reads a file. Throws LoadError if it is missing, unreadable, empty, or no regular file, such as a pipe or a device.
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
    /// Returns the name that the options state, or the path that from_file() read.
    [[nodiscard]] const std::string& name() const;
    /// Returns the name expressions that the code was compiled with, and their symbols.
    [[nodiscard]] const SymbolMapping& symbol_mapping() const;

    /// Returns the value of a constant expression of the device code, which was in CompileOptions::constants. Neither loads the
    /// code nor calls the compiler. Throws std::invalid_argument, which lists the expressions that were requested, for any other
    /// expression. `T` is bool, an arithmetic type of the host or an enumeration of the host. The value is exact: throws
    /// CompileError if `T` cannot represent it, as Program::evaluate() does.
    ///
    ///     ObjectCode code = program.compile(CodeType::cubin, {.constants = {"sizeof(Sort<int, 128>::Storage)"}});
    ///     const auto size = code.constant<std::size_t>("sizeof(Sort<int, 128>::Storage)");
    template <detail::ConstantValue T>
    [[nodiscard]] T constant(const std::string& expression) const {
        return detail::value_of_bits<T>(constant_bits(expression, detail::ConstantType::of<T>()));
    }
    /// Returns the expressions in CompileOptions::constants and their values.
    [[nodiscard]] const ConstantMapping& constants() const;

    /// Returns the kernel with this name, which is a name expression that was passed to Program::compile(), or a symbol.
    /// Loads the code at first use (cuLibraryLoadData, cuLibraryGetKernel). Throws LoadError, which lists the kernels of the
    /// code, if there is no such kernel, and std::invalid_argument for code that must be linked first.
    [[nodiscard]] Kernel kernel(const std::string& name) const;

    /// Returns all kernels of the code. Loads the code at first use (cuLibraryEnumerateKernels). Throws Error, which names the
    /// release, if the driver is older than CUDA 12.4, and std::invalid_argument for code that must be linked first.
    [[nodiscard]] std::vector<Kernel> kernels() const;

    /// Returns the symbols of the __device__, __constant__ and __managed__ variables that global() and managed() accept. Reads
    /// them in the bytes of PTX or of a cubin and does not load the code. Throws std::invalid_argument for other code.
    [[nodiscard]] std::vector<std::string> globals() const;

    /// Returns the machine code of a cubin as text, as NVIDIA's program nvdisasm prints it. Throws std::invalid_argument for
    /// other code, and LoadError, which lists the places that were searched, if there is no nvdisasm (docs/finding-libraries.md),
    /// or its output if it fails.
    [[nodiscard]] std::string disassemble() const;

    /// Returns the __device__ or __constant__ variable with this name on the device (cuLibraryGetGlobal). Each device has
    /// its own variable. Throws LoadError if there is none.
    [[nodiscard]] GlobalVariable global(const std::string& name, Device device) const;
    /// Returns the variable on the current device, or on device 0 if no context is current.
    [[nodiscard]] GlobalVariable global(const std::string& name) const;

    /// Returns the variable as a view that copy() and fill() accept: `code.global<float>("scale", device)`,
    /// `code.global<float[16]>("table", device)`. Throws std::invalid_argument if the size of the type differs from the size of
    /// the variable.
    template <class Type>
    [[nodiscard]] Global<Type> global(const std::string& name, Device device) const {
        return typed_global<Type>(name, global(name, device));
    }
    /// Returns the view of the variable on the current device, or on device 0 if no context is current.
    template <class Type>
    [[nodiscard]] Global<Type> global(const std::string& name) const {
        return typed_global<Type>(name, global(name));
    }

    /// Returns the __managed__ variable with this name, which all devices share (cuLibraryGetManaged). Throws LoadError
    /// if there is none.
    [[nodiscard]] GlobalVariable managed(const std::string& name) const;
    /// Returns the __managed__ variable as a view that copy() and fill() accept. Throws std::invalid_argument if the size of
    /// the type differs from the size of the variable.
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
    /// Returns the module of the current device, or of device 0 if no context is current.
    [[nodiscard]] driver::CUmodule module() const;

    /// Writes the bytes to a file atomically: an existing file is replaced as a whole or not at all, and its permissions remain.
    /// Throws std::system_error if the file cannot be written, if it is read-only, and if the path names anything but a regular
    /// file, such as a device, a FIFO or a symbolic link.
    void save(const std::string& path) const;

private:
    explicit ObjectCode(std::shared_ptr<detail::ObjectCodeState> state) noexcept : state_(std::move(state)) {}

    template <class Type>
    static Global<Type> typed_global(const std::string& name, const GlobalVariable& variable) {
        detail::check_global(name, variable.size, detail::global_size<Type>, std::is_unbounded_array_v<Type>);
        return Global<Type>(variable);
    }
    std::uint64_t constant_bits(const std::string& expression, detail::ConstantType type) const;
    detail::ObjectCodeState& state() const;

    std::shared_ptr<detail::ObjectCodeState> state_;
};

}  // namespace CUBIND_NAMESPACE
