// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <string>

/// @file
/// Core dumps of GPUs. <cubind/core.hpp> does not include this header, because few files need it.
namespace CUBIND_NAMESPACE {

/// Settings of GPU core dumps: files with the state of the GPU at a fault of a kernel, which cuda-gdb opens. There is one set of
/// settings for each context, and a global one, with which contexts begin.
///
///     CoreDumpSettings settings = CoreDumpSettings::global();
///     settings.set_file("/var/crash/solver.%h.%p.nvcudmp");   // %h is the host, %p the process
///     settings.set_enabled_on_exception(true);
///     Device device;                                          // contexts that are created from now on have these settings
///
/// After it has written a core dump, the driver aborts the process, unless set_host_abort(false) was called. If an environment
/// variable of CUDA sets a value, such as CUDA_ENABLE_COREDUMP_ON_EXCEPTION or CUDA_COREDUMP_FILE, the driver ignores other
/// values. Requires a driver of CUDA 12.1; functions throw std::invalid_argument with older ones. A view, which owns nothing. Any
/// thread may use it, and it must not be used after its context has ended.
class CUBIND_EXPORT CoreDumpSettings {
public:
    /// Returns the global settings. They do not change contexts that exist, except for the trigger and its pipe. A function that
    /// sets one initializes the driver first, because driver 580 ends a process that enables core dumps before (cuInit).
    [[nodiscard]] static CoreDumpSettings global() noexcept { return CoreDumpSettings(ContextRef()); }
    /// Returns the settings of a context. The trigger and its pipe exist only globally: their functions throw
    /// std::invalid_argument for these settings. Throws std::invalid_argument if there is no context.
    [[nodiscard]] static CoreDumpSettings of(ContextRef context);

    /// Returns whether a fault of a kernel causes a core dump (CU_COREDUMP_ENABLE_ON_EXCEPTION). Initially not.
    [[nodiscard]] bool is_enabled_on_exception() const;
    /// Sets whether a fault of a kernel causes a core dump.
    void set_enabled_on_exception(bool enabled) const;

    /// Returns whether a core dump is written when another process writes to pipe() (CU_COREDUMP_ENABLE_USER_TRIGGER). Initially
    /// not. Only for global settings; throws std::invalid_argument for those of a context.
    [[nodiscard]] bool is_user_trigger_enabled() const;
    /// Sets whether a core dump is written when another process writes to pipe(). Only for global settings; throws
    /// std::invalid_argument for those of a context.
    void set_user_trigger_enabled(bool enabled) const;

    /// Returns the file of a core dump (CU_COREDUMP_FILE). Initially empty: the driver then chooses a name in the working
    /// directory. In the global name, the driver may already have replaced %h and %p.
    [[nodiscard]] std::string file() const;
    /// Sets the file of a core dump: at most 1023 bytes. The driver replaces %h by the name of the host and %p by the
    /// identification of the process. Throws std::invalid_argument for a name that is empty, too long or has a NUL.
    void set_file(const std::string& name) const;

    /// Returns the pipe of the user's trigger (CU_COREDUMP_PIPE); initially empty. The driver creates it if the trigger is
    /// enabled, and chooses a name if there is none. Only for global settings, like is_user_trigger_enabled().
    [[nodiscard]] std::string pipe() const;
    /// Sets the pipe of the user's trigger, before the trigger is enabled. Like set_file(); only for global settings.
    void set_pipe(const std::string& name) const;

    /// Returns the parts that core dumps omit, as enumerators of CUCoredumpGenerationFlags (CU_COREDUMP_GENERATION_FLAGS).
    /// Requires a driver of CUDA 12.5.
    [[nodiscard]] unsigned int flags() const;
    /// Sets the parts that core dumps omit, e.g. CU_COREDUMP_SKIP_GLOBAL_MEMORY | CU_COREDUMP_GZIP_COMPRESS. This replaces all
    /// flags, so it also sets what the functions below set. Requires a driver of CUDA 12.5; an older driver may not know all
    /// flags.
    void set_flags(unsigned int flags) const;

    /// Returns whether core dumps omit the memory of the GPU and code (CU_COREDUMP_LIGHTWEIGHT). Initially not.
    [[nodiscard]] bool is_lightweight() const;
    /// Sets whether core dumps omit the memory of the GPU and code, which makes them small. With drivers of CUDA 12.5 or newer,
    /// use either this function and set_host_abort(), or set_flags().
    void set_lightweight(bool lightweight) const;

    /// Returns whether the driver aborts the process after a core dump (CU_COREDUMP_TRIGGER_HOST). Initially so.
    [[nodiscard]] bool has_host_abort() const;
    /// Sets whether the driver aborts the process after a core dump, so that the host writes a core dump, too. Otherwise the
    /// process receives the fault as the error of a call.
    void set_host_abort(bool abort) const;

    /// Returns the context of the settings; empty for the global ones.
    [[nodiscard]] ContextRef context() const noexcept { return context_; }
    /// Returns whether both are the settings of the same context, or both the global ones.
    [[nodiscard]] friend bool operator==(const CoreDumpSettings&, const CoreDumpSettings&) noexcept = default;

private:
    explicit CoreDumpSettings(ContextRef context) noexcept : context_(context) {}

    std::size_t get(driver::CUcoredumpSettings attribute, void* value, std::size_t size) const;
    void set(driver::CUcoredumpSettings attribute, void* value, std::size_t size) const;
    bool boolean(driver::CUcoredumpSettings attribute) const;
    std::string text(driver::CUcoredumpSettings attribute) const;
    void set_text(driver::CUcoredumpSettings attribute, const char* function, const std::string& name) const;
    void check_global(const char* function) const;

    ContextRef context_;
};

}  // namespace CUBIND_NAMESPACE
