// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <memory>

/// Libraries that the OS loader opens. A call that fails leaves its reason to loader_error() or take_loader_error().
namespace CUBIND_NAMESPACE::detail {

/// When the OS loader finds the functions that a library calls.
enum class Binding { at_first_call, at_once };

/// Opens a library, whose symbols other libraries do not see. Returns null on failure. If `binds_itself_first` is set, the
/// library finds its own symbols before those of the program.
[[nodiscard]] CUBIND_EXPORT void* open_library(const char* path, Binding binding = Binding::at_once,
                                               bool binds_itself_first = false) noexcept;
/// Returns a further reference to a library that the process has loaded, or null.
[[nodiscard]] CUBIND_EXPORT void* find_loaded_library(const char* name, Binding binding = Binding::at_first_call) noexcept;
/// Returns a further reference to the library that contains an address, or null if that is the program.
[[nodiscard]] CUBIND_EXPORT void* find_library_of(const void* address) noexcept;
/// Keeps the library that contains an address loaded until the process ends, because others call it or write to it.
inline void keep_library_of(const void* address) noexcept {
    static_cast<void>(find_library_of(address));
}
CUBIND_EXPORT void close_library(void* library) noexcept;

/// Returns the address of a symbol of a library and those that it is linked to, or null.
[[nodiscard]] CUBIND_EXPORT void* find_symbol(void* library, const char* name) noexcept;
/// Returns the address of a symbol of the program and the libraries that it sees, or null.
[[nodiscard]] CUBIND_EXPORT void* find_global_symbol(const char* name) noexcept;

/// Returns the file that contains the code or data at an address, as the OS loader names it, or null.
[[nodiscard]] CUBIND_EXPORT const char* file_of_address(const void* address) noexcept;

/// Returns the reason why the last call failed, and forgets it; null if there is none. It is valid until the next call.
CUBIND_EXPORT const char* loader_error() noexcept;

struct CloseLibrary {
    void operator()(void* library) const noexcept { close_library(library); }
};
/// A reference that ends by itself. It may be null.
using LibraryHandle = std::unique_ptr<void, CloseLibrary>;

}  // namespace CUBIND_NAMESPACE::detail
