// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cufile/session.hpp"

#include <cubind/core/device/simulation.hpp>
#include <cubind/cufile/files.hpp>
#include <cubind/cufile/loading.hpp>
#include <cubind/cufile/status.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/substitute.hpp>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "lifetime/process_state.hpp"
#include "support/failures.hpp"

namespace CUBIND_NAMESPACE::detail::io {

using namespace cufile;

namespace {

struct ProcessSession {
    std::mutex mutex;
    std::weak_ptr<CufileSession> session;
    // Whether the loaded cuFile works with the simulated driver.
    const void* implementation = nullptr;
    bool is_simulated = false;
    const void* without_gpu_direct = nullptr;  // a cuFile that has reported none
};

const std::string no_path;

// A cuFile that works with the simulated driver is one of a test, and exports the mark of the simulation, too.
bool is_simulated_cufile() {
    const void* const loaded = current_implementation(cufile::library());
    ProcessSession& process = ProcessState<ProcessSession>::get();
    const std::lock_guard lock(process.mutex);
    if (process.implementation != loaded) {
        EntryPoint mark{.symbol = "cubindSimulation", .library = &cufile::library()};
        process.is_simulated = has(mark);
        process.implementation = loaded;
    }
    return process.is_simulated;
}

}  // namespace

std::string CufileSession::unavailability() {
    if (library_path(cufile::library()) == nullptr) {
        return "cuFile (libcufile.so.0) was not found: it is in the toolkit and in the Python package nvidia-cufile, or "
               "CUBIND_CUFILE_LIBRARY names the file";
    }
    if (library_path(driver::library()) == nullptr) return "there is no driver of NVIDIA";
    if (is_simulated_driver() && !is_simulated_cufile()) return "the driver is simulated, and cuFile needs NVIDIA's";
    return {};
}

std::shared_ptr<CufileSession> CufileSession::open(const FileDriverSettings& settings) {
    if (const std::string missing = unavailability(); !missing.empty()) {
        throw_cufile_status("FileDriver", {CU_FILE_PLATFORM_NOT_SUPPORTED, driver::CUDA_SUCCESS}, {"opening cuFile", no_path},
                            "cuFile cannot be used: " + missing + ".");
    }
    ProcessSession& process = ProcessState<ProcessSession>::get();
    const std::lock_guard lock(process.mutex);
    if (auto session = process.session.lock()) {
        if (settings.allow_compat_mode || settings.force_compat_mode) {
            throw_misuse(
                "FileDriver: cuFile is open, and reads the settings of the compatibility mode when it opens: create the "
                "FileDriver "
                "before the first File, or destroy the objects that use cuFile");
        }
        apply(settings);
        return session;
    }
    auto session = std::make_shared<CufileSession>();
    session->start(settings);
    apply(settings);
    process.session = session;
    return session;
}

void CufileSession::start(const FileDriverSettings& settings) {
    const Where where{"opening cuFile", no_path};
    if (settings.allow_compat_mode) {
        checked(cuFileSetParameterBool(CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE, *settings.allow_compat_mode), where);
    }
    if (settings.force_compat_mode) {
        checked(cuFileSetParameterBool(CUFILE_PARAM_FORCE_COMPAT_MODE, *settings.force_compat_mode), where);
    }
    const auto opened = cuFileDriverOpen();
    if (opened.status.err == CU_FILE_DRIVER_ALREADY_OPEN) return;
    checked(opened, where);
    is_owner_ = true;
}

void CufileSession::apply(const FileDriverSettings& settings) {
    const Where where{"changing settings of cuFile", no_path};
    const std::string advice = "FileDriver::properties() has the values of cuFile, and the limits of this machine.";
    if (settings.poll_threshold_kib) {
        checked(cuFileDriverSetPollMode(*settings.poll_threshold_kib != 0, *settings.poll_threshold_kib), where, advice);
    }
    if (settings.max_direct_io_kib) checked(cuFileDriverSetMaxDirectIOSize(*settings.max_direct_io_kib), where, advice);
    if (settings.max_cache_kib) checked(cuFileDriverSetMaxCacheSize(*settings.max_cache_kib), where, advice);
    if (settings.max_pinned_kib) checked(cuFileDriverSetMaxPinnedMemSize(*settings.max_pinned_kib), where, advice);
}

CufileSession::~CufileSession() {
    if (!is_owner_) return;
    if (const auto closed = cuFileDriverClose(); !closed.ok()) report_cleanup_failure("close cuFile", to_string(closed.status));
}

FileDriverProperties CufileSession::properties() const {
    const Where where{"reading properties of cuFile", no_path};
    FileDriverProperties found;
    if (has(cuFileGetVersion)) found.version = checked(cuFileGetVersion(), where);
    found.native = checked(cuFileDriverGetProperties(), where);
    ProcessSession& process = ProcessState<ProcessSession>::get();
    const std::lock_guard lock(process.mutex);
    process.without_gpu_direct = found.has_gpu_direct() ? nullptr : current_implementation(cufile::library());
    return found;
}

bool CufileSession::is_without_gpu_direct() {
    ProcessSession& process = ProcessState<ProcessSession>::get();
    const std::lock_guard lock(process.mutex);
    return process.without_gpu_direct != nullptr && process.without_gpu_direct == current_implementation(cufile::library());
}

CufileSession::Address CufileSession::address_of(driver::CUdeviceptr address, std::size_t size) const {
    const std::lock_guard lock(mutex_);
    if (auto next = registered_.upper_bound(address); next != registered_.begin()) {
        const auto& [begin, length] = *--next;
        if (address - begin <= length && size <= length - (address - begin)) {
            return {reinterpret_cast<void*>(begin), address - begin};
        }
    }
    return {reinterpret_cast<void*>(address), 0};
}

bool CufileSession::add(driver::CUdeviceptr address, std::size_t size) {
    const std::lock_guard lock(mutex_);
    return registered_.emplace(address, size).second;
}

void CufileSession::remove(driver::CUdeviceptr address) noexcept {
    const std::lock_guard lock(mutex_);
    registered_.erase(address);
}

}  // namespace CUBIND_NAMESPACE::detail::io
