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

}  // namespace

Error::Error(std::string library, std::string function, int code, std::string name, const std::string& explanation)
    : std::runtime_error(message(function, code, name, explanation)),
      library_(std::move(library)),
      function_(std::move(function)),
      code_(code),
      name_(std::move(name)) {}

void detail::throw_error(const char* library, int code, const char* name, const char* explanation) {
    const Failure& failure = last_failure();
    // The result may be an old one, and another call may have failed since.
    const bool is_this = failure.reason != FailureReason::none && failure.status == code && failure.library == std::string_view(library);
    const bool is_missing = is_this && failure.detail[0] != '\0';
    throw Error(library, is_this ? failure.function : "", code, name,
                is_missing ? failure.detail : explanation);
}

}  // namespace cubind
