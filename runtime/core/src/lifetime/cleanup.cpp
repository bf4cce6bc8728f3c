// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "lifetime/cleanup.hpp"

#include <cubind/driver/status.hpp>
#include <cubind/error.hpp>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <set>

#include "lifetime/known_contexts.hpp"
#include "lifetime/process_state.hpp"

namespace CUBIND_NAMESPACE {
namespace {

void print(const char* message) noexcept {
    std::fprintf(stderr, "cubind: %s\n", message);
}

std::atomic<CleanupHandler> current_handler{print};

// The driver returns various statuses for an object that ended with its context. It returns the same statuses for an object
// that other code destroyed, and those failures are reported as long as no context has ended.
bool is_released_by_driver(driver::CUresult status) {
    switch (status) {
        case driver::CUDA_ERROR_DEINITIALIZED:
        case driver::CUDA_ERROR_CONTEXT_IS_DESTROYED:
            return true;
        case driver::CUDA_ERROR_INVALID_HANDLE:
        case driver::CUDA_ERROR_INVALID_CONTEXT:
            return detail::has_context_ended() || detail::is_driver_replaced();
        default:
            return false;
    }
}

bool is_memory_released_by_driver(driver::CUresult status) {
    return is_released_by_driver(status) || (status == driver::CUDA_ERROR_INVALID_VALUE && detail::has_context_ended());
}

struct ReportedCauses {
    std::mutex mutex;
    std::set<std::string> causes;
};

// Returns whether this is the first report of a cause. If memory is exhausted, or too many causes are known, it counts as the
// first.
bool is_first_report(std::string cause) noexcept try {
    constexpr std::size_t max_causes = 1000;
    ReportedCauses& reported = detail::ProcessState<ReportedCauses>::get();
    const std::lock_guard lock(reported.mutex);
    if (reported.causes.size() >= max_causes) return !reported.causes.contains(cause);
    return reported.causes.insert(std::move(cause)).second;
} catch (const std::bad_alloc&) {
    return true;
}

}  // namespace

CleanupHandler set_cleanup_handler(CleanupHandler handler) noexcept {
    return current_handler.exchange(handler);
}

void detail::report_cleanup_failure(const char* action, const char* reason) noexcept {
    const CleanupHandler handler = current_handler.load();
    if (handler == nullptr) return;
    char message[512];
    std::snprintf(message, sizeof message, "could not %s: %s", action, reason);
    handler(message);
}

// The handler is called without a lock, because it may use what it is told about.
void detail::report_cleanup_failure_once(const char* action, const std::string& cause, const std::string& reason) noexcept try {
    if (is_first_report(std::string(action).append(": ").append(cause))) report_cleanup_failure(action, reason.c_str());
} catch (const std::bad_alloc&) {
    report_cleanup_failure(action, reason.c_str());
}

void detail::report_failure_unless_released(driver::CUresult status, const char* action, const void* handle) noexcept {
    if (is_released_by_driver(status)) return;
    char reason[384];
    std::snprintf(reason, sizeof reason, "%p: %s (%d): %s", handle, driver::to_string(status), static_cast<int>(status),
                  driver::describe(status));
    report_cleanup_failure(action, reason);
}

void detail::report_exception_unless_released(const char* action) noexcept {
    try {
        throw;
    } catch (const Error& error) {
        const auto status = static_cast<driver::CUresult>(error.code().value());
        if (error.library() == "driver" && is_memory_released_by_driver(status)) return;
        report_cleanup_failure(action, error.what());
    } catch (const std::exception& error) {
        report_cleanup_failure(action, error.what());
    } catch (...) {
        report_cleanup_failure(action, "an exception that is not a std::exception");
    }
}

}  // namespace CUBIND_NAMESPACE
