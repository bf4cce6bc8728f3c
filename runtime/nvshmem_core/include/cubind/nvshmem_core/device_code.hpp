// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/program/program_options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::nvshmem {

class Session;

namespace detail {
struct SessionState;
}

/// Returns the folder for ProgramOptions::include_path that has <nvshmem.h>: that of CUBIND_NVSHMEM_HEADERS, that of the package
/// of the NVSHMEM library, or as locate() finds it. Throws LoadError, which names the package and the places that were searched.
[[nodiscard]] CUBIND_EXPORT std::string include_folder();

/// Returns the path of libnvshmem_device.a, found in the same way: the variable is CUBIND_NVSHMEM_DEVICE_STATIC_LIBRARY.
[[nodiscard]] CUBIND_EXPORT std::string device_library();

/// Returns a program whose source may include <nvshmem.h>: with include_folder() in the include path, C++17 unless the options
/// state more, device_as_default_execution_space, and code that can be linked. Its integers of 8 bytes, such as uint64_t, are
/// `long` as in the library and on the host; NVRTC's own are `long long`, with which the linker would not find functions that
/// have such parameters.
[[nodiscard]] CUBIND_EXPORT Program program(std::string source, ProgramOptions options = {},
                                            std::vector<IncludedHeader> headers = {});

/// Links code with device_library() to a cubin, which may be saved and loaded later. It needs nvJitLink. Throws LinkError.
[[nodiscard]] CUBIND_EXPORT ObjectCode link_device_library(const ObjectCode& code, const LinkerOptions& options = {});

/// Loaded code whose kernels call NVSHMEM:
///
///     Program program = nvshmem::program(source);                              // includes <nvshmem.h>
///     const nvshmem::LinkedCode code = nvshmem::link(session, program.compile(CodeType::cubin));
///     launch(stream, {.grid = 1, .block = 1}, code.kernel("ring"), inbox, signal, n);
///
/// Kernels whose blocks wait for each other, or for other PEs, need a cooperative launch, so that all blocks run. Destroy the
/// object after the work of its kernels and before the session, which it retains; a kernel must not be launched afterwards.
/// Movable, not copyable.
class [[nodiscard]] CUBIND_EXPORT LinkedCode {
public:
    /// Loads the code, which link_device_library() has linked, and connects it with the session (nvshmemx_culibrary_init). Throws
    /// CommunicationError, also if the code was linked for a newer NVSHMEM than the library is.
    LinkedCode(const Session& session, ObjectCode code);
    /// Takes the code of the other object, which is closed then.
    LinkedCode(LinkedCode&& other) noexcept = default;
    /// Disconnects the own code as the destructor does, and takes that of the other object.
    LinkedCode& operator=(LinkedCode&& other) noexcept;
    LinkedCode(const LinkedCode&) = delete;
    LinkedCode& operator=(const LinkedCode&) = delete;
    /// Disconnects the code, before it is unloaded. A failure is reported to the cleanup handler.
    ~LinkedCode() { reset(); }

    /// Returns a kernel by its name. Throws LoadError if there is none.
    [[nodiscard]] Kernel kernel(const std::string& name) const { return code().kernel(name); }
    /// Returns the code. Throws std::invalid_argument after close().
    [[nodiscard]] const ObjectCode& code() const;
    /// Disconnects the code (nvshmemx_culibrary_finalize). Throws CommunicationError. Closing again does nothing.
    void close();

private:
    void reset() noexcept;

    std::shared_ptr<detail::SessionState> session_;
    ObjectCode code_;
};

/// Links code with device_library() and connects it with the session.
[[nodiscard]] CUBIND_EXPORT LinkedCode link(const Session& session, const ObjectCode& code, const LinkerOptions& options = {});

}  // namespace CUBIND_NAMESPACE::nvshmem
