// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/error.hpp>

#include <cubind/failure.hpp>

#include <string_view>

namespace cubind {
namespace {

std::string message(const std::string& function, int code, const std::string& name, const std::string& explanation) {
    return (function.empty() ? std::string("A call") : function) + " failed with " + name + " (" + std::to_string(code) + "): " +
           explanation;
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
    : std::runtime_error(message(function, code, name, explanation)),
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

void detail::throw_error(const char* library, int code, const char* name, const char* explanation) {
    const Failure& failure = last_failure();
    // Another call may have failed after the one that returned this result.
    const bool is_this =
        failure.reason != FailureReason::none && failure.status == code && failure.library == std::string_view(library);
    const bool is_missing = is_this && failure.detail[0] != '\0';
    const char* const function = is_this ? failure.function : "";
    const char* const why = is_missing ? failure.detail : explanation;
    if (means_out_of_memory(name)) throw OutOfMemory(library, function, code, name, why);
    throw Error(library, function, code, name, why);
}

}  // namespace cubind
