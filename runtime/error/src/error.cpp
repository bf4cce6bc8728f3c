// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/host_function.hpp>
#include <cubind/detail/record_failure.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>
#include <cubind/failure.hpp>

#include <algorithm>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "fork_state.hpp"
#include "log/driver_log.hpp"
#include "platform/environment.hpp"

namespace CUBIND_NAMESPACE {

using namespace driver;

namespace {

// The driver's log is the end of each message, so that readers see cubind's sentences first.
std::string ending_with(std::string text, const std::string& log) {
    if (!log.empty()) text.append("\n").append(log);
    return text;
}

std::string message(const std::string& library, const std::string& function, int code, const std::string& name,
                    const std::string& explanation, const std::string& driver_log) {
    return ending_with((function.empty() ? "A " + library + " call" : function) + " failed with " + name + " (" +
                           std::to_string(code) + "): " + explanation,
                       driver_log);
}

std::string with_advice(const Error& failure, const std::string& advice) {
    std::string text = failure.what();
    const std::string& log = failure.driver_log();
    if (!log.empty()) text.resize(text.size() - log.size() - 1);
    return ending_with(text.append("\n").append(advice), log);
}

// All libraries use one of these suffixes: CUDA_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_OUT_OF_MEMORY, cudaErrorMemoryAllocation.
bool means_out_of_memory(std::string_view name) {
    return name.ends_with("OUT_OF_MEMORY") || name.ends_with("MemoryAllocation");
}

// The runtime library has the same numbers.
bool has_statuses_of_driver(std::string_view library) {
    return library == "driver" || library == "runtime";
}

// Statuses with which a context ends because of a kernel.
constexpr int statuses_of_kernels[] = {
    CUDA_ERROR_ILLEGAL_ADDRESS,     CUDA_ERROR_LAUNCH_TIMEOUT,     CUDA_ERROR_ASSERT,     CUDA_ERROR_HARDWARE_STACK_ERROR,
    CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_INVALID_PC, CUDA_ERROR_INVALID_ADDRESS_SPACE,
    CUDA_ERROR_LAUNCH_FAILED,       CUDA_ERROR_TENSOR_MEMORY_LEAK,
};
// Statuses with which a context ends for other reasons.
constexpr int statuses_of_hardware[] = {
    CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE,  CUDA_ERROR_CONTAINED,
    CUDA_ERROR_EXTERNAL_DEVICE,   CUDA_ERROR_MPS_CLIENT_TERMINATED,
};

bool contains(const auto& statuses, int code) {
    return std::ranges::find(statuses, code) != std::end(statuses);
}

// Returns whether the call has waited for the kernel that it launched.
bool is_blocking_launch(std::string_view function) {
    const char* const setting = detail::environment_variable("CUDA_LAUNCH_BLOCKING");
    return setting != nullptr && std::string_view(setting) == "1" && function.find("Launch") != function.npos;
}

// The descriptions name an earlier kernel, because the call that launched it does not wait for it.
std::string naming_this_kernel(std::string explanation) {
    constexpr std::pair<std::string_view, std::string_view> replacements[] = {{"An earlier kernel ", "A kernel "},
                                                                              {"an earlier kernel ", "a kernel "}};
    for (const auto& [earlier, general] : replacements) {
        const std::size_t at = explanation.find(earlier);
        if (at != explanation.npos) return explanation.replace(at, earlier.size(), general);
    }
    return explanation;
}

constexpr const char* fork_remedy =
    "Create the child before its parent initializes CUDA, start it with exec, as posix_spawn() and Python's start method "
    "\"spawn\" do, or initialize CUDA in the children only.";

// Returns the functions of the library whose recent calls on this thread returned the status, the latest first.
std::vector<std::string_view> functions_with_status(std::string_view library, int status) {
    std::vector<std::string_view> functions;
    const auto add = [&](const auto& failure) {
        const std::string_view function = failure.function;
        const bool is_alike = status == failure.status && library == failure.library && !function.empty();
        if (is_alike && std::ranges::find(functions, function) == functions.end()) functions.push_back(function);
    };
    add(last_failure());
    const detail::EarlierFailures& earlier = detail::earlier_failures();
    for (unsigned int age = 1; age <= std::min(earlier.count, earlier.max_count); ++age)
        add(earlier.entries[(earlier.count - age) % earlier.max_count]);
    return functions;
}

// Names functions one of which has returned a stored result. `detail` is said of the function if it is the only one.
std::string naming(const std::vector<std::string_view>& functions, const char* detail) {
    const bool is_single = functions.size() == 1;
    std::string text(is_single ? " The latest call with this status was " : " The latest calls with this status were ");
    for (std::size_t i = 0; i < functions.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == functions.size() ? " and " : ", ").append(functions[i]);
    return text.append(is_single && detail[0] != '\0' ? std::string(": ").append(detail) : ".");
}

// Returns the explanation of a status of the driver whose cause is the calling thread or process, or an empty string.
std::string explanation_by_caller(std::string_view library, int code, std::string_view function) {
    if (library != "driver") return {};
    if (code == CUDA_ERROR_NOT_PERMITTED && detail::is_in_host_function()) {
        return "The calling thread runs a host function or a callback of a stream or graph, and such a function must not call "
               "CUDA. Let it signal another thread that makes the call, or use future_of() or completion().";
    }
    if (code != CUDA_ERROR_NOT_INITIALIZED || !detail::has_parent_loaded_driver()) return {};
    const std::string subject = "fork() created this process";
    if (detail::has_parent_initialized_driver() || function == "cuInit") {
        return subject + " after its parent had initialized CUDA, which the child cannot use. " + fork_remedy;
    }
    return subject +
           " after its parent had loaded the driver. If the parent had also initialized CUDA, the child cannot use it. " +
           fork_remedy + " If the parent had not, call cuInit first.";
}

}  // namespace

Error::Error(std::string library, std::string function, int code, std::string name, const std::string& explanation,
             std::string driver_log)
    : std::runtime_error(message(library, function, code, name, explanation, driver_log)),
      code_(std::move(library), code),
      function_(std::move(function)),
      name_(std::move(name)),
      driver_log_(std::move(driver_log)) {}

Error::Error(const Error& failure, const std::string& advice)
    : std::runtime_error(with_advice(failure, advice)),
      code_(failure.code_),
      function_(failure.function_),
      name_(failure.name_),
      driver_log_(failure.driver_log_) {}

bool Error::is_sticky() const noexcept {
    const int code = code_.value();
    return has_statuses_of_driver(code_.library()) &&
           (contains(statuses_of_kernels, code) || contains(statuses_of_hardware, code));
}

CompileError::CompileError(const Error& failure, const std::string& advice, std::string log)
    : Error(failure, ending_with(advice, log)), log_(std::move(log)) {}

LinkError::LinkError(const Error& failure, const std::string& advice, std::string log)
    : Error(failure, ending_with(advice, log)), log_(std::move(log)) {}

void detail::throw_error(const char* library, int code, const char* name, const char* explanation, bool is_latest_call) {
    const Failure& failure = last_failure();
    // cublaslt has the statuses of cublas, cusolvermg those of cusolver.
    const bool is_alike =
        failure.reason != FailureReason::none && failure.status == code && std::string_view(failure.library).starts_with(library);
    const char* const function = is_alike && is_latest_call ? failure.function : "";
    // The details of a missing symbol concern one function, and the details of a missing library concern all of its functions.
    const bool has_details =
        is_alike && failure.detail[0] != '\0' && (is_latest_call || failure.reason == FailureReason::library_missing);
    std::string why = has_details ? failure.detail : explanation;
    // A stored result may be that of another call, so that the details of a missing symbol are said of their function, and
    // nothing is said of one of several functions with this status.
    std::string_view suspect = function;
    if (!is_latest_call) {
        const std::vector<std::string_view> functions = functions_with_status(library, code);
        if (!functions.empty()) why.append(naming(functions, is_alike && !has_details ? failure.detail : ""));
        if (functions.size() == 1) suspect = functions.front();
    }
    if (std::string by_caller = explanation_by_caller(library, code, function); !by_caller.empty()) why = std::move(by_caller);
    if (has_statuses_of_driver(library) && is_blocking_launch(function)) why = naming_this_kernel(std::move(why));
    std::string log;
    const bool has_run = !is_alike || failure.reason == FailureReason::status;
    if (has_run && !suspect.empty() && library == std::string_view("driver")) log = detail::read_driver_log(code, suspect);
    if (has_run && is_alike && suspect == failure.function && library == std::string_view("runtime"))
        log = detail::read_driver_log_of_caller(code);
    const auto throw_with = [&](std::string lines) {
        if (means_out_of_memory(name)) throw OutOfMemory(library, function, code, name, why, std::move(lines));
        throw Error(library, function, code, name, why, std::move(lines));
    };
    try {
        if (!log.empty()) throw_with(std::move(log));
    } catch (const std::bad_alloc&) {  // the log may need more memory than is left
    }
    throw_with({});
    __builtin_unreachable();
}

}  // namespace CUBIND_NAMESPACE
