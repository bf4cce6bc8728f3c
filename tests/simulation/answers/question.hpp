// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/tuple.hpp>

#include <string>
#include <type_traits>

namespace answers {

using namespace cubind::driver;

/// Begins a question and returns its unique name. Returns an empty name if the question is to be skipped because it ended an
/// earlier process.
std::string begin_question(const char* text);
/// Writes the answer to the question.
void write_answer(const std::string& name, const std::string& answer);

/// Texts of values. Handles and addresses are printed by kind, because their values differ from run to run.
std::string text_of(CUresult status);
std::string text_of(const char* string);
std::string text_of(float number);
std::string text_of(unsigned long long handle_or_address);
std::string text_of(const CUDA_ARRAY_DESCRIPTOR& array);
std::string text_of(const CUDA_ARRAY3D_DESCRIPTOR& array);
std::string text_of(const CUgraphExecUpdateResultInfo& update);
template <class Value>
std::string text_of(Value value) {
    if constexpr (std::is_pointer_v<Value>) {
        return value == nullptr ? "null" : "pointer";
    } else if constexpr (std::is_enum_v<Value> || std::is_integral_v<Value>) {
        return std::to_string(static_cast<long long>(value));
    } else {
        return "struct";
    }
}

template <class Status, class... Values>
std::string answer_of(const cubind::Result<Status, Values...>& result) {
    std::string answer = text_of(result.status);
    if constexpr (sizeof...(Values) > 0) {
        // The outputs of a failed call are undefined.
        if (!result.ok()) return answer;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((answer += ' ' + text_of(cubind::get<I + 1>(result))), ...);
        }
        (std::make_index_sequence<sizeof...(Values)>{});
    }
    return answer;
}

/// Asks a question and returns the result of the call, or CUDA_ERROR_UNKNOWN (which is also cudaErrorUnknown) if the question is
/// skipped.
template <class Call>
auto ask(const char* text, Call call) {
    const std::string name = begin_question(text);
    auto result = decltype(call()){};
    result.status = static_cast<decltype(result.status)>(CUDA_ERROR_UNKNOWN);
    if (name.empty()) return result;
    result = call();
    write_answer(name, answer_of(result));
    return result;
}

/// Reports a value that a call wrote to memory of the caller.
template <class Value>
void report(const char* text, const Value& value) {
    const std::string name = begin_question(text);
    if (!name.empty()) write_answer(name, text_of(value));
}

}  // namespace answers

/// Asks a question whose name is the source text of the call.
#define ASK(...) ::answers::ask(#__VA_ARGS__, [&] { return __VA_ARGS__; })
/// Reports the value of an expression under its source text.
#define REPORT(...) ::answers::report(#__VA_ARGS__, __VA_ARGS__)
