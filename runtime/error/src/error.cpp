// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/error.hpp>
#include <cubind/failure.hpp>

#include <string_view>

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
    if (is_alike && !is_latest_call && failure.function[0] != '\0') {
        why.append(" The latest call with this status was ").append(failure.function).append(".");
    }
    if (means_out_of_memory(name)) throw OutOfMemory(library, function, code, name, why);
    throw Error(library, function, code, name, why);
}

}  // namespace CUBIND_NAMESPACE
