// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>
#include <string>
#include <vector>

#include "support/deferred.hpp"

namespace cubind::detail {

class ObjectCodeState;

/// Code that the driver has loaded, until the last who uses it is gone. Immutable; any thread may use it.
class LoadedLibrary {
public:
    /// Throws LoadError, with what the driver's compiler says and what can be done.
    explicit LoadedLibrary(const ObjectCodeState& code);
    LoadedLibrary(const LoadedLibrary&) = delete;
    LoadedLibrary& operator=(const LoadedLibrary&) = delete;
    ~LoadedLibrary();

    driver::CUlibrary handle() const noexcept { return handle_; }

    /// What the driver's compiler for PTX has written up to now; it may be at work later than loading.
    std::string log() const;

    /// The kernels that are there. None where the driver cannot tell: it can since CUDA 12.4.
    std::vector<std::string> kernel_names() const;

private:
    class Unload;
    struct Log;

    std::unique_ptr<Log> log_;        // the driver may write to it for as long as the library is there
    std::unique_ptr<Unload> unload_;  // made at once, since where it is needed nothing may fail
    driver::CUlibrary handle_ = nullptr;
};

}  // namespace cubind::detail
