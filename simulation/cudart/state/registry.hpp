// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// A fat binary that a program registered. Loaded as a library of the driver when it is first used.
struct Binary;

/// Registers the structure by which a program refers to a fat binary. It must remain valid until remove_binary().
Binary* add_binary(const void* structure);
/// Unloads the binary and forgets its functions and variables.
void remove_binary(Binary* binary);

/// Registers a kernel by the address of its host function. Returns cudaErrorInvalidResourceHandle for an unknown binary.
cudaError_t add_function(Binary* binary, const void* host_function, const char* name);

/// Registers a variable by the address of its host variable. `managed` is the host pointer to it if it is managed, otherwise
/// null. Returns cudaErrorInvalidResourceHandle for an unknown binary.
cudaError_t add_variable(Binary* binary, const void* host_variable, const char* name, void** managed);

/// Writes the addresses of the binary's managed variables to their host pointers. Requires a current context.
cudaError_t load_managed_variables(Binary* binary);

/// Writes the kernel of a host function. Returns cudaErrorInvalidDeviceFunction if no such function is registered.
cudaError_t find_kernel(const void* host_function, CUkernel& kernel);

/// Returns the host function of a kernel, or of its function in the current context. Returns null if neither belongs to a
/// registered function.
const void* host_function_of(CUkernel kernel, CUfunction in_context);

/// What the driver can launch.
struct Launchable {
    CUfunction handle = nullptr;
    bool is_registered = false;  ///< whether it is the kernel of a host function
};

/// Writes the handle to launch for a host function, a kernel or a function of the driver. An address that is not registered is
/// treated as a handle, which the driver checks.
cudaError_t find_launchable(const void* function, Launchable& launchable);

/// Writes the function in the current context for a host function, a kernel or a function of the driver. Returns
/// cudaErrorInvalidResourceHandle for every other address except null.
cudaError_t find_function(const void* function, CUfunction& in_context);

/// The device memory of a variable in the current context.
struct Variable {
    CUdeviceptr address = 0;
    std::size_t size = 0;
};

/// Writes the memory of a host variable. Returns cudaErrorInvalidSymbol if no such variable is registered.
cudaError_t find_variable(const void* host_variable, Variable& variable);

/// Writes the address of a part of a host variable. Returns cudaErrorInvalidValue if the part exceeds the variable. Binds the
/// thread's context.
cudaError_t find_variable_part(const void* host_variable, std::size_t count, std::size_t offset, char*& part);

/// Locks the registry while fork() copies the process.
void lock_registry();
void unlock_registry();

}  // namespace CUBIND_NAMESPACE::sim::cudart
