// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/checked.hpp"

#include <cubind/error.hpp>
#include <cubind/failure.hpp>
#include <cubind/mathdx/code.hpp>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"

namespace CUBIND_NAMESPACE::math::device::detail {
namespace {

using cubind::detail::concat;
using namespace mathdx;

// The log of the compiler within libmathdx. It belongs to the thread's latest compilation that failed.
std::string compiler_log() {
    const auto size = commondxGetLastErrorStrSize();
    if (!size.ok() || size.value == 0) return {};
    std::string log(size.value, '\0');
    if (!commondxGetLastErrorStr(log.size(), log.data()).ok()) return {};
    log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
    return log;
}

std::string advice_on(commondxStatusType status, FailureReason reason, const std::string& what, const std::string& log) {
    const std::string subject = concat("This was a ", what, ".");
    if (reason == FailureReason::library_missing) {
        return subject +
               " Install the Python package nvidia-libmathdx-cu13 of version 0.4, or name its file in "
               "CUBIND_MATHDX_LIBRARY.";
    }
    if (log.find("cannot open source file") != std::string::npos) {
        return subject +
               " The headers that NVRTC 13.3 and later contain do not fit those of libmathdx: start the program with "
               "LIBMATHDX_NVRTC_NO_BUNDLED_HEADERS=1 in its environment, or use an older NVRTC.";
    }
    if (status == COMMONDX_COMPILATION_ERROR) {
        return subject + " libmathdx does not support it; the log states the condition that the description must meet.";
    }
    if (status == COMMONDX_INVALID_VALUE) return subject + " libmathdx does not support this value: change the description.";
    return subject + " With LIBMATHDX_LOG_LEVEL=5 in the environment, libmathdx prints the cause.";
}

}  // namespace

void throw_failed_call(commondxStatusType status, const std::string& what) {
    const FailureReason reason = last_failure().reason;
    try {
        cubind::detail::throw_error("mathdx", static_cast<int>(status), to_string(status), describe(status), true);
    } catch (const Error& error) {
        const std::string log = status == COMMONDX_COMPILATION_ERROR ? compiler_log() : std::string();
        const std::string advice = advice_on(status, reason, what, log);
        if (status == COMMONDX_COMPILATION_ERROR) throw CompileError(error, advice, log);
        throw Error(error, advice);
    }
}

void report(const Result<commondxStatusType>& result, const char* action) noexcept {
    if (!result.ok()) cubind::detail::report_cleanup_failure(action, to_string(result.status));
}

}  // namespace CUBIND_NAMESPACE::math::device::detail
