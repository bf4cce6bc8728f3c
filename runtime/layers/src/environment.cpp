// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/environment.hpp"

#include <cubind/detail/layers_request.hpp>
#include <cubind/layers/environment.hpp>
#include <cubind/layers/faults.hpp>
#include <cubind/layers/leaks.hpp>
#include <cubind/layers/nvtx.hpp>
#include <cubind/layers/trace.hpp>
#include <cubind/layers/validate.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "support/function_names.hpp"
#include "support/write.hpp"

namespace CUBIND_NAMESPACE::layers {

namespace {

std::string text_or_empty(const char* text) {
    return text != nullptr ? text : "";
}

std::string variable(const char* name) {
    return text_or_empty(detail::environment_variable(name));
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// Reads a decimal number. Returns false if the text has anything else or the number does not fit.
template <class Number>
bool read_whole(const std::string& text, Number& number) {
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && after == end;
}

[[noreturn]] void reject(const char* name, const std::string& value, const std::string& expected) {
    throw std::invalid_argument(std::string(name) + ": \"" + value + "\" is not valid; expected " + expected);
}

void start_trace() {
    const std::string text = variable("CUBIND_TRACE");
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string format = text.substr(0, colon);
    trace::Options options;
    if (format == "json") {
        options.format = trace::Format::json_lines;
    } else if (format == "chrome") {
        options.format = trace::Format::chrome;
    } else if (!format.empty() && format != "text") {
        reject("CUBIND_TRACE", text, "text, json or chrome, optionally followed by :FILE");
    }
    options.file = colon < text.size() ? text.substr(colon + 1) : "";
    trace::start(options);
}

void start_validate() {
    const std::string text = variable("CUBIND_VALIDATE");
    if (!text.empty() && text != "warn" && text != "fail") reject("CUBIND_VALIDATE", text, "warn or fail");
    validate::start({.action = text == "fail" ? validate::Action::fail : validate::Action::warn});
}

int status_named(const reflection::LibraryDescription& library, const std::string& text, const std::string& whole) {
    for (const reflection::Enumerator& each : reflection::statuses_of(library).enumerators) {
        if (text == each.name) return static_cast<int>(each.value);
    }
    int number = 0;
    if (!read_whole(text, number)) {
        reject("CUBIND_FAULTS", whole,
               std::string("an int or an enumerator of ") + reflection::statuses_of(library).name + " after =");
    }
    return number;
}

void add_fault(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) reject("CUBIND_FAULTS", text, "FUNCTION[#CALL]=STATUS");
    const std::size_t hash = std::min(text.find('#'), equals);
    const std::string function = text.substr(0, hash);
    const std::string call = hash < equals ? text.substr(hash + 1, equals - hash - 1) : "1";
    unsigned long number = faults::every_call;
    if (call != "*" && (!read_whole(call, number) || number == 0))
        reject("CUBIND_FAULTS", text, "a number of at least 1, or *, after #");
    const auto functions = functions_named(function);
    if (functions.empty()) reject("CUBIND_FAULTS", text, "a function of a library that cubind binds");
    faults::fail(function, status_named(*functions.front().library, text.substr(equals + 1), text), number);
}

void start_faults() {
    for (const std::string& each : split(variable("CUBIND_FAULTS"))) add_fault(each);
    faults::start();
}

void report_leaks() {
    const std::string report = leaks::report_at_exit();
    if (!report.empty()) print_error("cubind: leaks: created and not destroyed\n" + report);
    leaks::stop();  // reports objects that could not be recorded
}

// Calls the function of a layer. Texts are printed one after another, because memory may be exhausted.
void run(void (*function)()) noexcept {
    try {
        function();
    } catch (const std::exception& error) {
        for (const char* const text : {"cubind: ", error.what(), "\n"}) print_error(text);
    }
}

// Calls a function of a layer when the process exits.
template <void (*function)()>
void at_exit() noexcept {
    run(function);
}

// A layer that CUBIND_LAYERS can name.
struct Starter {
    const char* name;
    void (*start)();
    void (*stop)();
    void (*at_exit)();  // called when the process exits; may be null
};

constexpr Starter starters[] = {{"trace", start_trace, trace::stop, at_exit<trace::stop>},
                                {"validate", start_validate, validate::stop, at_exit<validate::stop>},
                                {"faults", start_faults, faults::stop, nullptr},
                                {"leaks", leaks::start, leaks::stop, at_exit<report_leaks>},
                                {"nvtx", nvtx::start, nvtx::stop, nullptr}};

const Starter& starter_of(const std::string& name) {
    for (const Starter& each : starters) {
        if (name == each.name) return each;
    }
    reject("CUBIND_LAYERS", name, "trace, validate, faults, leaks or nvtx, separated by commas");
}

}  // namespace

void start_from_environment() {
    std::vector<const Starter*> selected;
    for (const std::string& name : split(text_or_empty(detail::take_layers_request()))) {
        const Starter* const starter = &starter_of(name);
        if (std::find(selected.begin(), selected.end(), starter) == selected.end()) selected.push_back(starter);
    }
    try {
        // Starting a layer puts it on top.
        for (auto each = selected.rbegin(); each != selected.rend(); ++each) (*each)->start();
    } catch (...) {
        for (const Starter* const each : selected) each->stop();
        throw;
    }
    for (const Starter* const each : selected) {
        if (each->at_exit != nullptr) std::atexit(each->at_exit);
    }
}

}  // namespace CUBIND_NAMESPACE::layers

/// The build passes this symbol to the linker, so that linking the library is sufficient. The constructor runs before the
/// program's own static objects are created, so that reports at the exit are written after these objects have been destroyed.
/// The symbol is hidden, so that each shared library that contains the layers runs its own constructor.
extern "C" [[gnu::constructor(101), gnu::visibility("hidden")]] void cubind_layers_start_from_environment() {
    cubind::layers::run(cubind::layers::start_from_environment);
}
