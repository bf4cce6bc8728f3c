// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/host_function.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>
#include <cubind/failure.hpp>

#include <string_view>
#include <utility>

#include "platform/process.hpp"

namespace CUBIND_NAMESPACE {
namespace {

std::string message(const std::string& library, const std::string& function, int code, const std::string& name,
                    const std::string& explanation) {
    return (function.empty() ? "A " + library + " call" : function) + " failed with " + name + " (" + std::to_string(code) +
           "): " + explanation;
}

std::string with_log(const std::string& advice, const std::string& log) {
    std::string text = advice;
    if (!log.empty()) text.append("\n").append(log);
    return text;
}

// All libraries use one of these suffixes: CUDA_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_OUT_OF_MEMORY, cudaErrorMemoryAllocation.
bool means_out_of_memory(std::string_view name) {
    return name.ends_with("OUT_OF_MEMORY") || name.ends_with("MemoryAllocation");
}

// Differs from process_id() in a process that fork() has created after the start of this code; 0 for constructors that run
// before.
const int first_process = detail::process_id();

bool is_forked() {
    return first_process != 0 && first_process != detail::process_id();
}

// Returns the explanation of a status of the driver whose cause is the calling thread or process, or an empty string.
std::string explanation_by_caller(std::string_view library, int code, std::string_view function) {
    if (library != "driver") return {};
    if (code == driver::CUDA_ERROR_NOT_PERMITTED && detail::is_in_host_function()) {
        return "The calling thread runs a host function or a callback of a stream or graph, and such a function must not call "
               "CUDA. Let it signal another thread that makes the call, or use future_of() or completion().";
    }
    if (code == driver::CUDA_ERROR_NOT_INITIALIZED && is_forked()) {
        return std::string(
                   "This process was created by fork(). After its parent has initialized CUDA, it cannot use CUDA: fork "
                   "before the first use of CUDA, or start the process with exec.") +
               (function == "cuInit" ? "" : " If the parent has not, call cuInit first.");
    }
    return {};
}

}  // namespace

Error::Error(std::string library, std::string function, int code, std::string name, const std::string& explanation)
    : std::runtime_error(message(library, function, code, name, explanation)),
      code_(std::move(library), code),
      function_(std::move(function)),
      name_(std::move(name)) {}

Error::Error(const Error& failure, const std::string& advice)
    : std::runtime_error(std::string(failure.what()).append("\n").append(advice)),
      code_(failure.code_),
      function_(failure.function_),
      name_(failure.name_) {}

CompileError::CompileError(const Error& failure, const std::string& advice, std::string log)
    : Error(failure, with_log(advice, log)), log_(std::move(log)) {}

LinkError::LinkError(const Error& failure, const std::string& advice, std::string log)
    : Error(failure, with_log(advice, log)), log_(std::move(log)) {}

void detail::throw_error(const char* library, int code, const char* name, const char* explanation, bool is_latest_call) {
    const Failure& failure = last_failure();
    const bool is_alike =
        failure.reason != FailureReason::none && failure.status == code && failure.library == std::string_view(library);
    const char* const function = is_alike && is_latest_call ? failure.function : "";
    // The details of a missing symbol concern one function, and the details of a missing library concern all of its functions.
    const bool has_details =
        is_alike && failure.detail[0] != '\0' && (is_latest_call || failure.reason == FailureReason::library_missing);
    std::string why = has_details ? failure.detail : explanation;
    // A stored result may be that of another call, so that the details of a missing symbol are said of their function.
    if (is_alike && !is_latest_call && failure.function[0] != '\0') {
        why.append(" The latest call with this status was ").append(failure.function);
        why.append(has_details || failure.detail[0] == '\0' ? "." : std::string(": ").append(failure.detail));
    }
    if (std::string by_caller = explanation_by_caller(library, code, function); !by_caller.empty()) why = std::move(by_caller);
    if (means_out_of_memory(name)) throw OutOfMemory(library, function, code, name, why);
    throw Error(library, function, code, name, why);
}

}  // namespace CUBIND_NAMESPACE
