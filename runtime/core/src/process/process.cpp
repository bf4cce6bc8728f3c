// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/process.hpp"

#include <cubind/core/process/process.hpp>
#include <cubind/driver/checkpoint.hpp>
#include <cubind/driver/strings.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"

namespace CUBIND_NAMESPACE {
namespace {

std::string advice(driver::CUresult status, int pid, const char* required_state) {
    if (status == driver::CUDA_ERROR_NOT_INITIALIZED) return detail::concat("process ", pid, " does not use CUDA");
    if (status == driver::CUDA_ERROR_OPERATING_SYSTEM) {
        return detail::concat("there is no process ", pid, ", or this process may not trace it (ptrace)");
    }
    if (status != driver::CUDA_ERROR_ILLEGAL_STATE || required_state == nullptr) return {};
    const auto state = driver::cuCheckpointProcessGetState(pid);
    return state.ok() ? detail::concat("the state of process ", pid, " must be ", required_state, ", and is ",
                                       driver::to_string(state.value))
                      : std::string();
}

template <class Result>
auto check_process(const Result& result, int pid, const char* required_state = nullptr) {
    if (!result.ok()) detail::throw_with_advice({result.status}, advice(result.status, pid, required_state));
    return check(result);
}

void lock_process(int pid, unsigned int milliseconds) {
    detail::require_release("Process::lock()", 12080);
    driver::CUcheckpointLockArgs options{};
    options.timeoutMs = milliseconds;
    const auto locked = driver::cuCheckpointProcessLock(pid, &options);
    if (locked.status == driver::CUDA_ERROR_NOT_READY) {
        detail::throw_with_advice(locked, detail::concat("the work of process ", pid, " has not ended within ", milliseconds,
                                                         " ms; the process continues to run"));
    }
    check_process(locked, pid, "CU_PROCESS_STATE_RUNNING");
}

std::optional<unsigned int> digit(char c) noexcept {
    if (c >= '0' && c <= '9') return static_cast<unsigned int>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned int>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned int>(c - 'A') + 10;
    return std::nullopt;
}

// Reads "GPU-" and 8-4-4-4-12 hexadecimal digits. The prefix may be missing.
driver::CUuuid uuid_of(const std::string& text) {
    std::string_view rest = text;
    if (rest.starts_with("GPU-")) rest.remove_prefix(4);
    driver::CUuuid uuid{};
    std::size_t digits = 0;
    bool is_valid = rest.size() == 36;
    for (std::size_t i = 0; i < rest.size() && is_valid; ++i) {
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            is_valid = rest[i] == '-';
            continue;
        }
        const auto value = digit(rest[i]);
        is_valid = value.has_value();
        if (!is_valid) break;
        auto& byte = uuid.bytes[digits++ / 2];
        byte = static_cast<char>(unsigned{static_cast<unsigned char>(byte)} << 4 | *value);
    }
    if (!is_valid) {
        detail::throw_misuse("\"", text,
                             "\" is no UUID of a device; Device::uuid() returns a text such as "
                             "\"0a1b2c3d-0123-4567-89ab-0123456789ab\"");
    }
    return uuid;
}

}  // namespace

Process::Process(int pid) : pid_(pid) {
    if (pid <= 0) detail::throw_misuse("a process identification must be positive, and ", pid, " is not");
}

Process Process::current() {
    return Process(detail::process_id());
}

driver::CUprocessState Process::state() const {
    detail::require_release("Process::state()", 12080);
    return check_process(driver::cuCheckpointProcessGetState(pid_), pid_);
}

int Process::restore_thread_id() const {
    detail::require_release("Process::restore_thread_id()", 12080);
    return check_process(driver::cuCheckpointProcessGetRestoreThreadId(pid_), pid_);
}

void Process::lock() const {
    lock_process(pid_, 0);
}

void Process::lock(std::chrono::milliseconds timeout) const {
    constexpr auto most = std::numeric_limits<unsigned int>::max();
    if (timeout.count() <= 0 || timeout.count() > std::int64_t{most}) {
        detail::throw_misuse("the timeout of Process::lock() must be from 1 to ", most, " ms, and is ", timeout.count(),
                             " ms; lock() without an argument waits without a limit");
    }
    lock_process(pid_, static_cast<unsigned int>(timeout.count()));
}

void Process::checkpoint() const {
    detail::require_release("Process::checkpoint()", 12080);
    check_process(driver::cuCheckpointProcessCheckpoint(pid_, nullptr), pid_, "CU_PROCESS_STATE_LOCKED");
}

void Process::restore() const {
    detail::require_release("Process::restore()", 12080);
    check_process(driver::cuCheckpointProcessRestore(pid_, nullptr), pid_, "CU_PROCESS_STATE_CHECKPOINTED");
}

void Process::restore(const std::vector<DeviceMapping>& devices) const {
    detail::require_release("Process::restore()", 12080);
    std::vector<driver::CUcheckpointGpuPair> pairs;
    for (const DeviceMapping& each : devices) pairs.push_back({uuid_of(each.from), uuid_of(each.to)});
    driver::CUcheckpointRestoreArgs options{};
    options.gpuPairs = pairs.data();
    options.gpuPairsCount = static_cast<unsigned int>(pairs.size());
    const auto restored = driver::cuCheckpointProcessRestore(pid_, &options);
    if (restored.status == driver::CUDA_ERROR_INVALID_VALUE) {
        detail::throw_with_advice(restored,
                                  detail::concat("the mapping names ", pairs.size(), pairs.size() == 1 ? " device" : " devices",
                                                 "; it must contain each device that process ", pid_,
                                                 " can see, with a device of this machine of the same model"));
    }
    check_process(restored, pid_, "CU_PROCESS_STATE_CHECKPOINTED");
}

void Process::unlock() const {
    detail::require_release("Process::unlock()", 12080);
    check_process(driver::cuCheckpointProcessUnlock(pid_, nullptr), pid_, "CU_PROCESS_STATE_LOCKED");
}

}  // namespace CUBIND_NAMESPACE
