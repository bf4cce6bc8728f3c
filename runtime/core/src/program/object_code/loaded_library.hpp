// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lifetime/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {

class ObjectCodeState;

/// Code that the driver has loaded. It is unloaded with the object. Immutable; any thread may use it.
class LoadedLibrary {
public:
    /// Loads the code (cuLibraryLoadData). Throws LoadError with the log of the driver's compiler and what to do.
    explicit LoadedLibrary(const ObjectCodeState& code);
    LoadedLibrary(const LoadedLibrary&) = delete;
    LoadedLibrary& operator=(const LoadedLibrary&) = delete;
    ~LoadedLibrary();

    driver::CUlibrary handle() const noexcept { return handle_; }

    /// Returns the log of the driver's PTX compiler so far. The compiler may still run after the code has been loaded.
    std::string log() const;

    /// Returns the kernels and their symbols (cuLibraryEnumerateKernels). Throws Error before CUDA 12.4, where the driver cannot
    /// list them.
    std::vector<std::pair<driver::CUkernel, std::string>> kernels() const;
    /// Returns the symbols of the kernels, or none if the driver cannot list them.
    std::vector<std::string> kernel_names() const;

private:
    class Unload;
    struct Log;

    std::unique_ptr<Log> log_;        // the driver may write to it as long as the library is loaded
    std::unique_ptr<Unload> unload_;  // allocated in advance, since the destructor must not fail
    driver::CUlibrary handle_ = nullptr;
};

}  // namespace CUBIND_NAMESPACE::detail
