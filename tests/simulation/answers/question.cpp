// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include "runner.hpp"

namespace answers {

std::string text_of(CUresult status) {
    const std::string name = to_string(status);
    return name.find("unrecognized") == 0 ? std::to_string(static_cast<int>(status)) : name;
}

std::string text_of(const char* string) {
    return string == nullptr ? "null" : '"' + std::string(string) + '"';
}

std::string text_of(float number) {
    return number >= 0 ? "not negative" : "negative";
}

std::string text_of(unsigned long long handle_or_address) {
    return handle_or_address == 0 ? "0" : "nonzero";
}

std::string text_of(const CUDA_ARRAY_DESCRIPTOR& array) {
    return std::to_string(array.Width) + 'x' + std::to_string(array.Height) + " format " + text_of(array.Format) + " channels " +
           std::to_string(array.NumChannels);
}

std::string text_of(const CUDA_ARRAY3D_DESCRIPTOR& array) {
    return std::to_string(array.Width) + 'x' + std::to_string(array.Height) + 'x' + std::to_string(array.Depth) + " format " +
           text_of(array.Format) + " channels " + std::to_string(array.NumChannels) + " flags " + std::to_string(array.Flags);
}

std::string text_of(const CUgraphExecUpdateResultInfo& update) {
    return "result " + text_of(update.result) + " node " + text_of(update.errorNode) + " from " + text_of(update.errorFromNode);
}

std::string begin_question(const char* text) {
    return Group::current().begin(text);
}

void write_answer(const std::string& name, const std::string& answer) {
    Group::current().write(name, answer);
}

}  // namespace answers
