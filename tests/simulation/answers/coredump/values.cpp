// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "coredump/values.hpp"

#include <array>
#include <cstring>
#include <unistd.h>

namespace answers {

namespace {

void replace_first(std::string& text, const std::string& from, const char* to) {
    const std::size_t at = from.empty() ? std::string::npos : text.find(from);
    if (at != std::string::npos) text.replace(at, from.size(), to);
}

// A value that differs from every value that a driver writes shows that nothing was written.
std::string attribute_text(CUcoredumpSettings attribute, bool is_global) {
    std::array<char, 1024> value;
    value.fill('\x55');
    const bool is_text = attribute == CU_COREDUMP_FILE || attribute == CU_COREDUMP_PIPE;
    const bool is_number = attribute == CU_COREDUMP_GENERATION_FLAGS;
    const std::size_t size = is_text ? value.size() : is_number ? sizeof(int) : sizeof(bool);
    const auto result = is_global ? cuCoredumpGetAttributeGlobal(attribute, value.data(), size)
                                  : cuCoredumpGetAttribute(attribute, value.data(), size);
    std::string text = text_of(result.status);
    if (!result.ok()) return text;
    text += ' ';
    if (is_text) {
        value.back() = '\0';
        return text + '"' + without_names(value.data()) + '"';
    }
    int number = value.front();
    if (is_number) std::memcpy(&number, value.data(), sizeof number);
    return text + std::to_string(number);
}

}  // namespace

std::string pipe_name() {
    return "cubind-answers-pipe." + std::to_string(1000 + ::getpid() % 9000);
}

std::string without_names(std::string text) {
    if (text == pipe_name()) return "cubind-answers-pipe.PID";
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0) replace_first(text, host.data(), "HOST");
    replace_first(text, std::to_string(::getpid()), "PID");
    return text;
}

void report_all(const char* when, bool is_global) {
    for (unsigned i = CU_COREDUMP_ENABLE_ON_EXCEPTION; i < CU_COREDUMP_MAX; ++i) {
        const auto attribute = static_cast<CUcoredumpSettings>(i);
        const std::string question = std::string(when) + " " + to_string(attribute);
        const std::string name = begin_question(question.c_str());
        if (!name.empty()) write_answer(name, attribute_text(attribute, is_global));
    }
}

cubind::Result<CUresult, size_t> set_global(CUcoredumpSettings attribute, bool value) {
    return cuCoredumpSetAttributeGlobal(attribute, &value, sizeof value);
}

cubind::Result<CUresult, size_t> set_global(CUcoredumpSettings attribute, const char* text) {
    std::string copy = text;
    return cuCoredumpSetAttributeGlobal(attribute, copy.data(), copy.size() + 1);
}

cubind::Result<CUresult, size_t> set_global_flags(int flags) {
    return cuCoredumpSetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, sizeof flags);
}

cubind::Result<CUresult, size_t> set(CUcoredumpSettings attribute, bool value) {
    return cuCoredumpSetAttribute(attribute, &value, sizeof value);
}

cubind::Result<CUresult, size_t> set(CUcoredumpSettings attribute, const char* text) {
    std::string copy = text;
    return cuCoredumpSetAttribute(attribute, copy.data(), copy.size() + 1);
}

cubind::Result<CUresult, size_t> set_flags(int flags) {
    return cuCoredumpSetAttribute(CU_COREDUMP_GENERATION_FLAGS, &flags, sizeof flags);
}

}  // namespace answers
